/** The local time, rounded to a second. */
const wallClock = (at: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(Math.round(at / 1000) * 1000).toZonedDateTimeISO(zone)

const withOffset = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(?:T?([+-]\d\d:\d\d))?$/

type ParsedText = { readonly local: Temporal.PlainDateTime; readonly offset: string | undefined }

function parsed(text: string): ParsedText | null {
  const [, local, offset] = withOffset.exec(text.trim().replace('−', '-').replaceAll(/[ T]+/g, 'T')) ?? []
  if (local === undefined) return null
  try {
    return { local: Temporal.PlainDateTime.from(local, { overflow: 'reject' }), offset }
  } catch {
    return null
  }
}

/** The moments of a local time: two if the clock was set back over it; if it was skipped, the one after the change. */
export const momentsOf = (local: Temporal.PlainDateTime, zone: string): readonly Temporal.ZonedDateTime[] => {
  const [earlier, later] = [
    local.toZonedDateTime(zone, { disambiguation: 'earlier' }),
    local.toZonedDateTime(zone, { disambiguation: 'later' }),
  ]
  const isRepeated = earlier.toPlainDateTime().equals(later.toPlainDateTime()) && !earlier.equals(later)
  return isRepeated ? [earlier, later] : [local.toZonedDateTime(zone)]
}

/** `2026-11-21 14:05:03`, or with its offset if that local time occurs twice: `2026-10-25 02:30:00+01:00`. */
export function localText(at: number, zone: string): string {
  const moment = wallClock(at, zone)
  const local = moment.toPlainDateTime()
  const text = local.toString({ smallestUnit: 'second' }).replace('T', ' ')
  return momentsOf(local, zone).length > 1 ? text + moment.offset : text
}

/** A local time in the name of a file, with its offset: `2026-10-25 02-30-00 +01-00`. */
export function fileText(at: number, zone: string): string {
  const moment = wallClock(at, zone)
  const local = moment.toPlainDateTime().toString({ smallestUnit: 'second' })
  return `${local.replace('T', ' ')} ${moment.offset}`.replaceAll(':', '-')
}

/** Minutes east of UTC. */
export const offsetMinutesAt = (at: number, zone: string): number =>
  Math.round(wallClock(at, zone).offsetNanoseconds / 60e9)

/**
 * The moment of a local time, with or without an offset. If the time occurs twice and the text has no offset, the
 * earlier moment; null if the text can't be read, or the zone doesn't have the offset at that time.
 */
export function momentOfLocal(text: string, zone: string): number | null {
  const time = parsed(text)
  if (time === null) return null
  const moments = momentsOf(time.local, zone)
  const moment = time.offset === undefined ? moments[0] : moments.find(({ offset }) => offset === time.offset)
  return moment?.epochMilliseconds ?? null
}

/** The two offsets of a local time that occurs twice; none for any other time. */
export function offsetsOfRepeated(text: string, zone: string): readonly string[] {
  const time = parsed(text)
  const moments = time === null ? [] : momentsOf(time.local, zone)
  return moments.length > 1 ? moments.map(({ offset }) => offset) : []
}
