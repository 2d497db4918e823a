import { i18n } from './i18n.ts'

/**
 * Numbers as spec.md §9 has them: for Russian a space between thousands and a decimal comma, for every other language
 * comma and dot.
 */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  if (i18n.locale !== 'ru') return new Intl.NumberFormat('en', options).format(value)
  return new Intl.NumberFormat('ru', options)
    .formatToParts(value)
    .map(({ type, value: part }) => (type === 'group' ? ' ' : part))
    .join('')
}

/** A moment in the viewer's zone. */
export function formatDateTime(epochMs: number, options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' }): string {
  return new Intl.DateTimeFormat(i18n.locale, options).format(epochMs)
}
