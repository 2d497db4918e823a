import { formatNumber } from './formats.ts'

const steps = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** Bytes in the unit that leaves one to three digits before the point. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return `${formatNumber(value, { maximumFractionDigits: value < 10 && step > 0 ? 1 : 0 })} ${steps[step] ?? ''}`
}
