/** How many of `values`, sorted by `valueOf`, are at most `limit`. */
export function countUpTo<T>(values: readonly T[], limit: number, valueOf: (value: T) => number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const value = values[middle]
    if (value !== undefined && valueOf(value) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The same for sorted numbers. */
export const countNumbersUpTo = (values: readonly number[], limit: number): number =>
  countUpTo(values, limit, (value) => value)
