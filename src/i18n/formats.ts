import { i18n } from './i18n.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** Cached: a scrolling table uses hundreds per second, and creating one is expensive. */
function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options)
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options)
  formats.set(key, format)
  return format
}

/** Russian: a space for thousands and a decimal comma; other languages: comma and dot (docs/behaviour.md §15). */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  if (i18n.locale !== 'ru') return numberFormat('en', options).format(value)
  return numberFormat('ru', options)
    .formatToParts(value)
    .map(({ type, value: part }) => (type === 'group' ? ' ' : part))
    .join('')
}

/** A fraction, 0 to 1, as a percentage. */
export const formatPercent = (fraction: number, maximumFractionDigits = 0): string =>
  formatNumber(fraction, { style: 'percent', maximumFractionDigits })

const dateFormats = new Map<string, Intl.DateTimeFormat>()

/**
 * A format with a 24-hour clock in all languages, as on the timeline and in cameras' overlays. Directly only for texts
 * that show a part of a moment, such as the labels of an axis or a calendar.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions, locale = i18n.locale): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, { hourCycle: 'h23', ...options })
  dateFormats.set(key, format)
  return format
}

/** The date and the time with seconds: `Nov 21, 2026, 15:05:03`. The zone is the browser's by default, as below. */
export const formatMoment = (epochMs: number, timeZone?: string): string =>
  dateFormat({ dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(epochMs)

/** The same with the name of the zone, where a moment is kept or sent: `Nov 21, 2026, 15:05:03 GMT+1`. */
export const formatZonedMoment = (epochMs: number, timeZone: string): string => {
  const parts = dateFormat({ timeZone, timeZoneName: 'short' }).formatToParts(epochMs)
  return [formatMoment(epochMs, timeZone), parts.find(({ type }) => type === 'timeZoneName')?.value].join(' ')
}

/** A day without a time, written out as in the banner of the licence: `November 21, 2026`. */
export const formatDay = (epochMs: number, timeZone?: string): string =>
  dateFormat({ dateStyle: 'long', timeZone }).format(epochMs)

/** A time whose day is known from elsewhere: `15:05:03`. */
export const formatClock = (epochMs: number, timeZone?: string): string =>
  dateFormat({ timeStyle: 'medium', timeZone }).format(epochMs)

/** Units with their lengths in seconds. */
const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/**
 * The distance of a moment from now: `in 12 days`, `3 minutes ago`, or `now` within a minute. Never `yesterday`: 40
 * hours ago may be the day before.
 */
export function formatRelative(epochMs: number, now: number): string {
  const seconds = (epochMs - now) / 1000
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', Infinity]
  const format = new Intl.RelativeTimeFormat(i18n.locale, { numeric: unit === 'second' ? 'auto' : 'always' })
  // A moment that was just chosen is a little nearer by now: 29.999 days are 30.
  return format.format(Math.trunc(seconds / length + Math.sign(seconds) * 0.01), unit)
}
