/** Whose time is shown: the browser's, the server's, or that of a zone by its IANA name. */
export type ZoneChoice = 'browser' | 'server' | (string & {})

/** The zones at hand, by IANA name; `server` is null if unknown. */
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

/** The IANA name that a choice means; a choice that can't be used means the browser's. */
export function zoneFor(choice: ZoneChoice, { browser, server }: Zones): string {
  if (choice === 'browser') return browser
  const wished = choice === 'server' ? server : choice
  return wished !== null && isZone(wished) ? wished : browser
}
