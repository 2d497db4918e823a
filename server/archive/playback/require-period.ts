import { timeRangeIsTooLong, validationError } from '../../http/api-error.ts'

export const requirePeriod = (from: number, to: number, maxSeconds: number): void => {
  if (to <= from) throw validationError({ end_time: 'Must be after the start' })
  if (to - from > maxSeconds * 1000) throw timeRangeIsTooLong(maxSeconds)
}
