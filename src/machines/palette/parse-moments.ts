import { momentsOf } from '../player/local-text.ts'
import { dayWords, monthNamed, unitOf, weekdayNamed } from './time-vocabulary.ts'

/** When and where a time is read. */
export interface LocalNow {
  readonly now: number
  readonly zone: string
}

/**
 * Reads a time in words, in epoch milliseconds: `14:05`, `yesterday 14:05`, `понедельник 8:00`, `21.11.2026 14:05`, `10
 * min ago`, `-1h`. The result is empty if the words aren't a time, and has two moments if the local clock showed that
 * time twice. A weekday, a time or a date without a year means the last one in the past; there is no future moment.
 */
export function parseMoments(words: string, local: LocalNow): readonly number[] {
  const text = words
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/[−–]/g, '-')
    // A decimal comma, as in "1,5 часа".
    .replaceAll(/(\d),(\d+ ?([a-zа-я]+))/g, (match, whole: string, rest: string, word: string) =>
      unitOf(word) === null ? match : `${whole}.${rest}`,
    )
    .replaceAll(/[,\s]+/g, ' ')
    .trim()
  try {
    return instantIn(text, local) ?? agoIn(text, local) ?? wallClockIn(text, local)
  } catch (error) {
    // Temporal throws it for a time or date that doesn't exist, or is out of its range.
    if (error instanceof RangeError) return []
    throw error
  }
}

const withOffset = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?) ?(z|[+-]\d\d:\d\d)$/

/** A date and time with an offset, as in logs and URLs. */
function instantIn(text: string, { now }: LocalNow): readonly number[] | null {
  const [, day, time, offset] = withOffset.exec(text) ?? []
  if (day === undefined) return null
  const at = Temporal.Instant.from(`${day}T${time}${offset}`.toUpperCase()).epochMilliseconds
  return at <= now ? [at] : []
}

const unitMs = { seconds: 1000, minutes: 60_000, hours: 3600_000 } as const

/** `10 min ago`, `полчаса назад`, `-1h30m`. A day is a calendar day, whether it has 23, 24 or 25 hours. */
function agoIn(text: string, { now, zone }: LocalNow): readonly number[] | null {
  const [, minus, ago] = /^(?:-(.+)|(.+?) (?:ago|(?:тому )?назад))$/.exec(text) ?? []
  const spans = (minus ?? ago)?.replace(/^(?:half an hour|полчаса)$/, '30m').replaceAll(/\ban? (?=[a-z])/g, '1')
  if (spans === undefined) return null
  let at = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
  const rest = spans.replaceAll(
    /(\d+(?:[.]\d+)?)? ?([a-zа-я]+) ?/g,
    (span, amount: string | undefined, word: string) => {
      const unit = unitOf(word)
      const count = Number(amount ?? 1)
      if (unit === null) return span
      at =
        unit === 'days' || unit === 'weeks'
          ? at.subtract({ [unit]: count })
          : at.subtract({ milliseconds: Math.round(count * unitMs[unit]) })
      return ''
    },
  )
  return rest === '' ? [at.epochMilliseconds] : null
}

const clock =
  /(?:^| |t)(?:at |в |во )?(?:(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(?: ?([ap])m)?|(\d{1,2}) ?([ap])m)(?= |$)/

function wallClockIn(text: string, { now, zone }: LocalNow): readonly number[] {
  const clockTime = clock.exec(text)
  const time = clockTime === null ? new Temporal.PlainTime() : timeOf(clockTime)
  const day = clockTime === null ? text : text.replace(clockTime[0], ' ').replaceAll('  ', ' ').trim()
  // A shorter word, such as "sat", is rather the start of a name.
  if (time === null || (clockTime === null && day.length < 4)) return []
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()
  for (const date of datesOf(day.replace(/^(?:(?:on|в|во) )?(?:(?:last|прошл\S+) )?/, ''), today)) {
    const past = momentsOf(date.toPlainDateTime(time), zone)
      .map(({ epochMilliseconds }) => epochMilliseconds)
      .filter((at) => at <= now)
    if (past.length > 0) return past
  }
  return []
}

function timeOf([
  ,
  hours,
  minutes = '0',
  seconds = '0',
  fraction = '0',
  meridiem,
  hoursAlone,
  meridiemAlone,
]: RegExpExecArray): Temporal.PlainTime | null {
  const hour = Number(hours ?? hoursAlone)
  const amOrPm = meridiem ?? meridiemAlone
  if (amOrPm !== undefined && (hour < 1 || hour > 12)) return null
  return Temporal.PlainTime.from(
    {
      hour: amOrPm === undefined ? hour : (hour % 12) + (amOrPm === 'p' ? 12 : 0),
      minute: Number(minutes),
      second: Number(seconds),
      millisecond: Number(fraction.padEnd(3, '0')),
    },
    { overflow: 'reject' },
  )
}

/** 29 February may be eight years ago: 1900 and 2100 have none. */
const yearsBack = 9

/**
 * The dates that the words may mean, latest first: today and yesterday, this week and the last, this year and those
 * before.
 */
function datesOf(day: string, today: Temporal.PlainDate): readonly Temporal.PlainDate[] {
  if (day === '') return [today, today.subtract({ days: 1 })]
  const before = Object.hasOwn(dayWords, day) ? dayWords[day] : undefined
  if (before !== undefined) return [today.subtract({ days: before })]
  const weekday = weekdayNamed(day)
  if (weekday !== null) {
    const last = today.subtract({ days: (today.dayOfWeek - weekday + 7) % 7 })
    return [last, last.subtract({ weeks: 1 })]
  }
  const written = writtenDate(day)
  if (written === null) return []
  const { year, ...rest } = written
  const years =
    year === null ? Array.from({ length: yearsBack }, (_, ago) => today.year - ago) : [year < 100 ? 2000 + year : year]
  return years.flatMap((one) => existing({ ...rest, year: one }))
}

function existing(date: { year: number; month: number; day: number }): Temporal.PlainDate[] {
  const found = Temporal.PlainDate.from(date)
  return found.day === date.day && found.month === date.month ? [found] : []
}

/** `2026-11-21`, `21.11.2026`, `21.11`, `21 november 2026`, `21 ноября`, `nov 21`. */
function writtenDate(text: string): { year: number | null; month: number; day: number } | null {
  const iso = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(text)
  if (iso !== null) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
  const dotted = /^(\d\d?)\.(\d\d?)(?:\.(\d{4}|\d\d)?)?$/.exec(text)
  if (dotted !== null)
    return {
      year: dotted[3] === undefined ? null : Number(dotted[3]),
      month: Number(dotted[2]),
      day: Number(dotted[1]),
    }
  const [, day, word, year] =
    /^(\d\d?) ([a-zа-я]+)\.?(?: (\d{4}))?$/.exec(text.replace(/^([a-z]+)\.? (\d\d?)(?= |$)/, '$2 $1')) ?? []
  const month = word === undefined ? null : monthNamed(word)
  return month === null ? null : { year: year === undefined ? null : Number(year), month, day: Number(day) }
}
