import { ownerOf, weightsOf } from './fair-share.ts'

/** A stream's archive as it is. `bytesPerDay`: its rate; `depthDays` and `quotaBytes`: Infinity without a limit. */
export type KeptStream = {
  uid: string
  owner: string | null
  isOfAdministrator: boolean
  bytes: number
  bytesPerDay: number
  depthDays: number
  quotaBytes: number
}

export type Limit = 'days' | 'quota' | 'site' | 'disk' | 'none'

/** What bounds an archive in the end, and how many days it then has; null where nothing is recorded or nothing ends. */
export type Outlook = { uid: string; limit: Limit; daysAhead: number | null }

type Wish = { want: number; weight: number }

/** Shares a budget by weight: nobody gets more than they want, and what they leave goes to the others. */
export const shareOut = <Each extends Wish>(wishes: readonly Each[], budget: number): Map<Each, number> => {
  const given = new Map<Each, number>()
  let left = Math.max(0, budget)
  let weights = wishes.reduce((sum, { weight }) => sum + weight, 0)
  for (const wish of wishes.toSorted((a, b) => a.want / a.weight - b.want / b.weight)) {
    const share = Math.min(wish.want, (left * wish.weight) / weights)
    given.set(wish, share)
    if (left !== Infinity) left -= share
    weights -= wish.weight
  }
  return given
}

const wantOf = ({ bytes, bytesPerDay, depthDays, quotaBytes }: KeptStream): number =>
  bytesPerDay === 0 ? Math.min(bytes, quotaBytes) : Math.min(depthDays * bytesPerDay, quotaBytes)

const ownLimit = ({ bytesPerDay, depthDays, quotaBytes }: KeptStream): Limit => {
  if (depthDays === Infinity) return quotaBytes === Infinity ? 'none' : 'quota'
  return bytesPerDay > 0 && quotaBytes < depthDays * bytesPerDay ? 'quota' : 'days'
}

/**
 * Where archives settle at their rates under the rules of retention: depth and quota of a stream, then fair shares of
 * what the site may hold, `siteBytes`, and of what fits on the disk, `diskBytes`; Infinity without that limit.
 */
export const outlookOf = (streams: readonly KeptStream[], siteBytes: number, diskBytes: number): Outlook[] => {
  const owners = Map.groupBy(streams, ownerOf)
  const weights = weightsOf(new Map([...owners].map(([name, own]) => [name, own.length])))
  const wishes = [...owners].map(([name, own]) => ({
    want: own.reduce((sum, stream) => sum + wantOf(stream), 0),
    weight: weights.get(name) ?? 1,
    own: own.map((stream) => ({ stream, want: wantOf(stream), weight: 1 })),
  }))
  const shared: Limit = siteBytes < diskBytes ? 'site' : 'disk'
  const all = [...shareOut(wishes, Math.min(siteBytes, diskBytes))].flatMap(([{ own }, share]) =>
    [...shareOut(own, share)].map(([{ stream, want }, bytes]): Outlook => {
      const days = stream.bytesPerDay === 0 ? Infinity : bytes / stream.bytesPerDay
      // What is left of a budget after many divisions.
      const isShort = bytes < want * (1 - 1e-9)
      return {
        uid: stream.uid,
        limit: isShort ? shared : ownLimit(stream),
        daysAhead: Number.isFinite(days) ? days : null,
      }
    }),
  )
  const byUid = new Map(all.map((each) => [each.uid, each]))
  return streams.flatMap(({ uid }) => byUid.get(uid) ?? [])
}
