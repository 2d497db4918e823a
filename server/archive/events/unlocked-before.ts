import type { TimeRange } from '../../../src/api/contract/time-range.ts'

/** The ranges between locks, which are ordered by their start, up to a moment. */
export const unlockedBefore = (locks: readonly TimeRange[], before: number): TimeRange[] => {
  const between: TimeRange[] = []
  let from = Number.MIN_SAFE_INTEGER
  for (const lock of locks) {
    between.push({ from, to: Math.min(lock.from, before) })
    from = Math.max(from, lock.to)
  }
  return [...between, { from, to: before }].filter((range) => range.from < range.to)
}
