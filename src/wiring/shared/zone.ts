import { readStored, writeStored } from '../../api/browser/storage.ts'
import { type ZoneChoice, zoneFor } from '../../machines/player/zones.ts'

const zoneKey = 'time-zone'

export const zoneHere = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

export function readZoneChoice(): ZoneChoice {
  const stored = readStored('local', zoneKey)
  return typeof stored === 'string' ? stored : 'browser'
}

/** The IANA name of the zone that times are shown in; `server` is the server's own, empty if unknown. */
export const zoneShown = (server: string) =>
  zoneFor(readZoneChoice(), { browser: zoneHere(), server: server === '' ? null : server })

export const keepZoneChoice = (choice: ZoneChoice) => writeStored('local', zoneKey, choice)
