/** The calendar of what is recorded. A day is `YYYY-MM-DD` in the viewer's zone; weeks begin on Monday. */

const dayMs = 86_400_000
const numberOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / dayMs
const textOf = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10)

/** The day of a moment. Made from parts, as no locale formats it like this in every browser. */
export function dayIn(zone: string, moment: number): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(moment)
  return (['year', 'month', 'day'] as const)
    .map((type) => parts.find((part) => part.type === type)?.value ?? '')
    .join('-')
}

export interface DayRange {
  from: string
  to: string
  count: number
}

/** Joins consecutive days, newest first. */
export function dayRanges(days: readonly string[]): readonly DayRange[] {
  const ranges: DayRange[] = []
  for (const number of [...new Set(days.map(numberOf))].toSorted((one, other) => one - other)) {
    const last = ranges.at(-1)
    if (last !== undefined && numberOf(last.to) + 1 === number)
      ranges[ranges.length - 1] = { from: last.from, to: textOf(number), count: last.count + 1 }
    else ranges.push({ from: textOf(number), to: textOf(number), count: 1 })
  }
  return ranges.toReversed()
}

export interface DayCell {
  day: string
  isRecorded: boolean
  /** After today. */
  isFuture: boolean
}

/** Whole weeks up to `today`, oldest first: as many as the recorded days need, from `min` to `max`. */
export function coverageWeeks(
  days: readonly string[],
  today: string,
  { min, max }: { min: number; max: number },
): readonly (readonly DayCell[])[] {
  const recorded = new Set(days)
  const end = numberOf(today)
  const lastMonday = end - ((end + 3) % 7)
  const first = days.reduce((earliest, day) => Math.min(earliest, numberOf(day)), end)
  const needed = Math.floor((lastMonday - (first - ((first + 3) % 7))) / 7) + 1
  const weeks = Math.min(max, Math.max(min, needed))
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => {
      const number = lastMonday + (week - weeks + 1) * 7 + weekday
      const day = textOf(number)
      return { day, isRecorded: recorded.has(day), isFuture: number > end }
    }),
  )
}
