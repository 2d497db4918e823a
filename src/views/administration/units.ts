import { formatBytes } from '../../i18n/bytes.ts'
import { formatNumber, formatPercent } from '../../i18n/formats.ts'

export function formatUnit(value: number, unit: string): string {
  if (unit === 'bytes') return formatBytes(value)
  if (unit === 'bytes/s') return formatBytes(value, { isRate: true })
  if (unit === 'percent' || unit === '%') return formatPercent(value / 100, 1)
  const number = formatNumber(value, { maximumFractionDigits: 1 })
  return unit === '' ? number : `${number} ${unit}`
}
