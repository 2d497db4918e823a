import { formatNumber } from './formats.ts'

const steps = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const

/** Bytes, or bytes per second, in the unit that leaves one to three digits before the decimal point. */
export function formatBytes(bytes: number, { isRate = false }: { isRate?: boolean } = {}): string {
  const step = bytes < 1 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  const unit = `${steps[step] ?? 'byte'}${isRate ? '-per-second' : ''}`
  return formatNumber(value, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  })
}
