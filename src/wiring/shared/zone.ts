import { readStored, writeStored } from '../../api/browser/storage.ts'
import { type ZoneChoice, zoneFor } from '../../machines/player/zones.ts'

const zoneKey = 'time-zone'

export const browserZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

export function readZoneChoice(): ZoneChoice {
  const stored = readStored('local', zoneKey)
  return typeof stored === 'string' ? stored : 'browser'
}

/** The zone that times are shown in, by its IANA name; `server` is the server's zone, '' if it doesn't report it. */
export const zoneShown = (server: string) =>
  zoneFor(readZoneChoice(), { browser: browserZone(), server: server === '' ? null : server })

export const storeZoneChoice = (choice: ZoneChoice) => writeStored('local', zoneKey, choice)
