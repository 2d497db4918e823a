import { locationOf } from '../../machines/app/location.events.ts'

export type System = Parameters<typeof locationOf>[0]

/** Writes the address on behalf of the page, which isn't notified of it. */
export const writeAddress = (system: System, href: string, { replace }: { replace: boolean }): void =>
  locationOf(system)?.send({ type: 'location.written', href, replace, isOfPage: true })
