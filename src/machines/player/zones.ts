/** The zone that times are shown in: the browser's, the server's, or another by its IANA name. */
export type ZoneChoice = 'browser' | 'server' | (string & {})

/** The zones of browser and server by their IANA names; `server` is null if the server doesn't report its zone. */
export interface Zones {
  readonly browser: string
  readonly server: string | null
}

export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The IANA name of the chosen zone; the browser's if the choice is invalid. */
export function zoneFor(choice: ZoneChoice, { browser, server }: Zones): string {
  if (choice === 'browser') return browser
  const name = choice === 'server' ? server : choice
  return name !== null && isZone(name) ? name : browser
}
