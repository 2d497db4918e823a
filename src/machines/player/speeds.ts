/** Playback speeds (docs/behaviour.md §7). */
export const speeds = [0.25, 0.5, 1, 2, 4, 8, 16] as const
/** From slow to fast. */
export const reverseSpeeds = [-1, -2, -4, -8, -16] as const
/** The positions of the shuttle; 0 is a pause. */
export const shuttleSpeeds = [...reverseSpeeds.toReversed(), 0, 1, 2, 4, 8, 16] as const

/** The next speed backwards; the slowest one if it plays forwards or is paused. */
export const fasterBackwards = (rate: number): number =>
  reverseSpeeds.find((speed) => speed < rate && rate < 0) ?? (rate < 0 ? rate : -1)

/** The next speed forwards; from a slower one backwards to the slowest, then to 1×. */
export const fasterForwards = (rate: number): number =>
  (rate < 0 ? reverseSpeeds.findLast((speed) => speed > rate) : speeds.find((speed) => speed > rate)) ??
  (rate < 0 ? 1 : rate)
