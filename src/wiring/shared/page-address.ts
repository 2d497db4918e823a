import { locationOf } from '../../machines/app/location.events.ts'

export type System = Parameters<typeof locationOf>[0]

/** What a page writes of itself into the address, without being told of it. */
export const writeAddress = (system: System, href: string, { replace }: { replace: boolean }): void =>
  locationOf(system)?.send({ type: 'location.written', href, replace, isOfPage: true })
