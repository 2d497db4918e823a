import { i18n } from './i18n.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** Making a format costs more than using it; a table in motion uses hundreds a second. */
function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options)
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options)
  formats.set(key, format)
  return format
}

/** docs/behaviour.md §15: for Russian a space between thousands and a decimal comma, else comma and dot. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  if (i18n.locale !== 'ru') return numberFormat('en', options).format(value)
  return numberFormat('ru', options)
    .formatToParts(value)
    .map(({ type, value: part }) => (type === 'group' ? ' ' : part))
    .join('')
}

/** With the clock of 24 hours in every language, as on the timeline and in what cameras write into the picture. */
export function formatDateTime(
  epochMs: number,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' },
): string {
  return new Intl.DateTimeFormat(i18n.locale, { hourCycle: 'h23', ...options }).format(epochMs)
}

/** With the date and the seconds, in a zone. */
export const formatMoment = (epochMs: number, timeZone: string): string =>
  formatDateTime(epochMs, { dateStyle: 'medium', timeStyle: 'medium', timeZone })

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** How far a moment is from now, in words: `in 12 days`, `3 minutes ago`; less than a minute is now. */
export function formatRelative(epochMs: number, now: number): string {
  const seconds = (epochMs - now) / 1000
  const format = new Intl.RelativeTimeFormat(i18n.locale, { numeric: 'auto' })
  const [unit, length] = units.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', Infinity]
  return format.format(Math.trunc(seconds / length), unit)
}
