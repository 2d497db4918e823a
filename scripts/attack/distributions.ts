import { quantile } from '../../bench/figures.ts'

/** How far two samples are apart: whether somebody could tell from them which of two things a server did. */
export type Difference = {
  medians: readonly [number, number]
  /** The Kolmogorov–Smirnov distance of the samples, from 0 to 1. */
  distance: number
  /** Samples of one distribution are further apart than this only in one of a hundred cases. */
  bound: number
}

export const differenceOf = (one: readonly number[], other: readonly number[]): Difference => {
  const shareUpTo = (values: readonly number[], most: number) =>
    values.filter((value) => value <= most).length / values.length
  const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b)
  return {
    medians: [quantile(sorted(one), 0.5), quantile(sorted(other), 0.5)],
    distance: Math.max(...[...one, ...other].map((most) => Math.abs(shareUpTo(one, most) - shareUpTo(other, most)))),
    // 1.63: the critical value of the two-sample test at 1 %.
    bound: 1.63 * Math.sqrt((one.length + other.length) / (one.length * other.length)),
  }
}
