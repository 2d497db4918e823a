const wallClock = (at: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(Math.round(at / 1000) * 1000).toZonedDateTimeISO(zone)

const withOffset = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(?:T?([+-]\d\d:\d\d))?$/

type Written = { readonly local: Temporal.PlainDateTime; readonly offset: string | undefined }

function read(text: string): Written | null {
  const [, written, offset] = withOffset.exec(text.trim().replace('−', '-').replaceAll(/[ T]+/g, 'T')) ?? []
  if (written === undefined) return null
  try {
    return { local: Temporal.PlainDateTime.from(written, { overflow: 'reject' }), offset }
  } catch {
    return null
  }
}

/** Two where the clock was put back; the shifted one where it was put forward. */
export const momentsOf = (local: Temporal.PlainDateTime, zone: string): readonly Temporal.ZonedDateTime[] => {
  const [earlier, later] = [
    local.toZonedDateTime(zone, { disambiguation: 'earlier' }),
    local.toZonedDateTime(zone, { disambiguation: 'later' }),
  ]
  const isRepeated = earlier.toPlainDateTime().equals(later.toPlainDateTime()) && !earlier.equals(later)
  return isRepeated ? [earlier, later] : [local.toZonedDateTime(zone)]
}

/** `2026-11-21 14:05:03`; with the offset, `2026-10-25 02:30:00+01:00`, where the clock shows it twice. */
export function localText(at: number, zone: string): string {
  const moment = wallClock(at, zone)
  const local = moment.toPlainDateTime()
  const text = local.toString({ smallestUnit: 'second' }).replace('T', ' ')
  return momentsOf(local, zone).length > 1 ? text + moment.offset : text
}

/** `2026-10-25 02-30-00 +01-00`: a local time in the name of a file, always with its offset. */
export function fileText(at: number, zone: string): string {
  const moment = wallClock(at, zone)
  const local = moment.toPlainDateTime().toString({ smallestUnit: 'second' })
  return `${local.replace('T', ' ')} ${moment.offset}`.replaceAll(':', '-')
}

/** Minutes east of UTC. */
export const offsetMinutesAt = (at: number, zone: string): number =>
  Math.round(wallClock(at, zone).offsetNanoseconds / 60e9)

/** Of a repeated time without an offset the earlier; null for an offset that the zone doesn't have then. */
export function momentOfLocal(text: string, zone: string): number | null {
  const written = read(text)
  if (written === null) return null
  const moments = momentsOf(written.local, zone)
  const found = written.offset === undefined ? moments[0] : moments.find(({ offset }) => offset === written.offset)
  return found?.epochMilliseconds ?? null
}

/** The offsets of the two moments of a time that the zone's clock shows twice; none for every other. */
export function offsetsOfRepeated(text: string, zone: string): readonly string[] {
  const written = read(text)
  const moments = written === null ? [] : momentsOf(written.local, zone)
  return moments.length > 1 ? moments.map(({ offset }) => offset) : []
}
