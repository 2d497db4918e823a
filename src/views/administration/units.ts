import { formatBytes } from '../../i18n/bytes.ts'
import { formatNumber } from '../../i18n/formats.ts'

export function formatUnit(value: number, unit: string): string {
  if (unit === 'bytes') return formatBytes(value)
  if (unit === 'bytes/s') return formatBytes(value, { isRate: true })
  const number = formatNumber(value, { maximumFractionDigits: 1 })
  if (unit === 'percent' || unit === '%') return `${number} %`
  return unit === '' ? number : `${number} ${unit}`
}
