/** A calendar day, `YYYY-MM-DD` (docs/behaviour.md §9); such texts sort by time. */
export type Day = string

const dayMs = 86_400_000
const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Days since 1970-01-01; NaN for what isn't a day of the calendar. */
export function dayNumber(day: Day): number {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (parts === null) return Number.NaN
  const number = Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])) / dayMs
  return dayOf(number) === day ? number : Number.NaN
}

export const isDay = (day: Day): boolean => !Number.isNaN(dayNumber(day))

/** The day with a number (`dayNumber`). */
export function dayOf(number: number): Day {
  const date = new Date(number * dayMs)
  return [
    String(date.getUTCFullYear()).padStart(4, '0'),
    twoDigits(date.getUTCMonth() + 1),
    twoDigits(date.getUTCDate()),
  ].join('-')
}

export const addDays = (day: Day, days: number): Day => dayOf(dayNumber(day) + days)

/** 1 for Monday to 7 for Sunday. */
export const weekdayOf = (day: Day): number => ((((dayNumber(day) + 3) % 7) + 7) % 7) + 1

/** The number of the day's month: months since January of the year 0. */
export const monthOf = (day: Day): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1

export const firstDayOf = (month: number): Day =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${twoDigits((month % 12) + 1)}-01`

export const lengthOfMonth = (month: number): number => dayNumber(firstDayOf(month + 1)) - dayNumber(firstDayOf(month))

/** The same day of the month `months` later, or the last day if that month is shorter. */
export function addMonths(day: Day, months: number): Day {
  const month = monthOf(day) + months
  return addDays(firstDayOf(month), Math.min(Number(day.slice(8)), lengthOfMonth(month)) - 1)
}

/** The weeks of a month, from Monday to Sunday; null for days of the adjacent months. */
export function weeksOf(month: number): (Day | null)[][] {
  const first = firstDayOf(month)
  const daysBefore = weekdayOf(first) - 1
  const length = lengthOfMonth(month)
  return Array.from({ length: Math.ceil((daysBefore + length) / 7) }, (_week, week) =>
    Array.from({ length: 7 }, (_day, column) => {
      const index = week * 7 + column - daysBefore
      return index < 0 || index >= length ? null : addDays(first, index)
    }),
  )
}
