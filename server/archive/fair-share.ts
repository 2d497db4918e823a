import type { Total } from './segment-index.ts'

type Owner = { totals: Total[]; bytes: number }

const largest = <T>(items: Iterable<T>, sizeOf: (item: T) => number): T | undefined => {
  let found: T | undefined
  for (const item of items) if (found === undefined || sizeOf(item) > sizeOf(found)) found = item
  return found
}

const site = ''

/**
 * The recording to delete from: the largest of the owner with most bytes. A user weighs at most as much as the site.
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
