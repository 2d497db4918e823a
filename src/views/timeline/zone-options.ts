import { isZone, type ZoneChoice, type Zones } from '../../machines/player/zones.ts'
import { utcText } from './zone-text.ts'

/** A time zone to select. `offset`: milliseconds ahead of UTC; `name`: long, such as Central European Time. */
export type ZoneOption = {
  readonly choice: ZoneChoice
  readonly zone: string
  readonly offset: number
  readonly name: string
}

/** Zones that browsers list by their old names, and the current names of their cities. */
const renamed: Readonly<Record<string, string>> = {
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Louisville': 'America/Kentucky/Louisville',
  'Africa/Asmera': 'Africa/Asmara',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

const nowCalled = (zone: string): string => {
  const name = renamed[zone]
  return name !== undefined && isZone(name) ? name : zone
}

const offsetIn = (zone: string, at: number): number =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6

/** The browser's zone, the server's if known, and all zones by name, with their offsets at a moment. */
export function zoneOptions({ browser, server }: Zones, at: number, locale: string): ZoneOption[] {
  const option = (choice: ZoneChoice, zone: string): ZoneOption => ({
    choice,
    zone,
    offset: offsetIn(zone, at),
    name: nameOf(zone, at, locale),
  })
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(nowCalled)])
  return [
    option('browser', browser),
    ...(server === null ? [] : [option('server', server)]),
    ...[...names].sort().map((zone) => option(zone, zone)),
  ]
}

function nameOf(timeZone: string, at: number, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'long' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[_/\s]+/g, ' ')
    .replaceAll('−', '-')
    .trim()

export function matchingZones(options: readonly ZoneOption[], search: string): readonly ZoneOption[] {
  const words = plain(search).split(' ').filter(Boolean)
  if (words.length === 0) return options
  return options.filter(({ zone, name, offset }) => {
    const text = plain(`${zone} ${name} ${utcText(offset)}`)
    return words.every((word) => text.includes(word))
  })
}
