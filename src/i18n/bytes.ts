import { formatNumber } from './formats.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const

/** Bytes, or bytes per second, in the unit that leaves one to three digits before the decimal point. */
export function formatBytes(bytes: number, { isRate = false }: { isRate?: boolean } = {}): string {
  let [value, step] = [bytes, 0]
  // Rounded, as 999,999 bytes are shown as 1 MB and not as 1,000 kB.
  while (Math.round(value) >= 1000 && step < units.length - 1) {
    value /= 1000
    step += 1
  }
  const unit = `${units[step] ?? 'byte'}${isRate ? '-per-second' : ''}`
  return formatNumber(value, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  })
}

/** A limit, which is set in GB, as it was typed: 12.5 GB isn't rounded. */
export const formatGigabytes = (bytes: number): string =>
  formatNumber(bytes / 1e9, { style: 'unit', unit: 'gigabyte', unitDisplay: 'short' })
