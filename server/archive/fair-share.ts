import type { Total } from './segment-index.ts'

type Owner = { totals: Total[]; bytes: number }

const largest = <T>(items: Iterable<T>, sizeOf: (item: T) => number): T | undefined => {
  let found: T | undefined
  for (const item of items) if (found === undefined || sizeOf(item) > sizeOf(found)) found = item
  return found
}

/** The streams of administrators, and of nobody, are the site's own. */
const site = ''

/**
 * Whose oldest segments go first where the disk is short. Each recording of the site weighs one, and so does each of a
 * user's, but all of a user's together never weigh more than the site's: of who holds most for their weight, the
 * recording that holds most. Undefined where nothing is recorded.
 */
export const mostOver = (totals: readonly Total[]): Total | undefined => {
  const owners = new Map<string, Owner>()
  for (const total of totals) {
    if (total.bytes <= 0) continue
    const name = total.isOfAdministrator ? site : (total.owner ?? site).toLowerCase()
    const owner = owners.get(name) ?? { totals: [], bytes: 0 }
    owner.totals.push(total)
    owner.bytes += total.bytes
    owners.set(name, owner)
  }
  const most = Math.max(1, owners.get(site)?.totals.length ?? 0)
  const weightOf = (name: string, { totals: own }: Owner): number =>
    name === site ? own.length : Math.min(own.length, most)
  const [, owner] = largest(owners, ([name, each]) => each.bytes / weightOf(name, each)) ?? []
  return owner === undefined ? undefined : largest(owner.totals, ({ bytes }) => bytes)
}
