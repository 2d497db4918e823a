import { locationOf } from '../../machines/app/location.events.ts'

export type System = Parameters<typeof locationOf>[0]

/** What a page writes into the address, without being notified of it. */
export const writeAddress = (system: System, href: string, { replace }: { replace: boolean }): void =>
  locationOf(system)?.send({ type: 'location.written', href, replace, isOfPage: true })
