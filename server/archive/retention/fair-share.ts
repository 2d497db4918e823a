import { isSub, streamOf } from '../../streams/substream.ts'
import { totalBytesOf, type Total } from '../index/recordings.ts'

/** What a stream and its substream take together. `recordings`: their ids in the index. */
export type StreamTotal = Omit<Total, 'recording'> & { recordings: readonly number[] }

type Share = Pick<Total, 'bytes' | 'owner' | 'isOfAdministrator'>
type OwnedStreams<Each> = { totals: Each[]; bytes: number }

const largest = <T>(items: Iterable<T>, sizeOf: (item: T) => number): T | undefined => {
  let found: T | undefined
  for (const item of items) if (found === undefined || sizeOf(item) > sizeOf(found)) found = item
  return found
}

/** The owner of the streams of administrators, and of those without an owner. */
const site = ''

export const streamTotals = (totals: readonly Total[]): StreamTotal[] =>
  [...Map.groupBy(totals, ({ uid }) => streamOf(uid))].flatMap(([uid, own]) => {
    const main = own.find((each) => !isSub(each.uid)) ?? own[0]
    if (main === undefined) return []
    const { owner, isOfAdministrator } = main
    const bytes = totalBytesOf(own)
    return { uid, owner, isOfAdministrator, bytes, recordings: own.map(({ recording }) => recording) }
  })

export const ownerOf = ({ owner, isOfAdministrator }: Pick<Share, 'owner' | 'isOfAdministrator'>): string =>
  isOfAdministrator ? site : (owner ?? site).toLowerCase()

/** Weights of owners: their number of streams, for a user at most that of the site. */
export const weightsOf = (counts: ReadonlyMap<string, number>): Map<string, number> => {
  const maxWeight = Math.max(1, counts.get(site) ?? 0)
  return new Map([...counts].map(([name, count]) => [name, name === site ? count : Math.min(count, maxWeight)]))
}

/** The stream to delete from: the largest one of the owner with the most bytes per weight. */
export const mostOverShare = <Each extends Share>(totals: readonly Each[]): Each | undefined => {
  const owners = new Map<string, OwnedStreams<Each>>()
  for (const total of totals) {
    if (total.bytes <= 0) continue
    const name = ownerOf(total)
    const owner = owners.get(name) ?? { totals: [], bytes: 0 }
    owner.totals.push(total)
    owner.bytes += total.bytes
    owners.set(name, owner)
  }
  const weights = weightsOf(new Map([...owners].map(([name, { totals: own }]) => [name, own.length])))
  const [, owner] = largest(owners, ([name, { bytes }]) => bytes / (weights.get(name) ?? 1)) ?? []
  return owner === undefined ? undefined : largest(owner.totals, ({ bytes }) => bytes)
}
