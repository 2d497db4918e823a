import { formatNumber } from '../../i18n/formats.ts'

const steps = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** Bytes in the unit that leaves one to three digits before the point. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return `${formatNumber(value, { maximumFractionDigits: value < 10 && step > 0 ? 1 : 0 })} ${steps[step] ?? ''}`
}

/** A value of a series in its unit. */
export function formatUnit(value: number, unit: string): string {
  if (unit === 'bytes') return formatBytes(value)
  if (unit === 'bytes/s') return `${formatBytes(value)}/s`
  const number = formatNumber(value, { maximumFractionDigits: 1 })
  if (unit === 'percent' || unit === '%') return `${number} %`
  return unit === '' ? number : `${number} ${unit}`
}
