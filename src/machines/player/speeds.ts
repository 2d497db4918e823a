/** The rates at which a player can play (docs/behaviour.md §7); 1 is the normal speed. */
export const speeds = [0.25, 0.5, 1, 2, 4, 8, 16] as const
/** Backwards, from slow to fast. */
const reverseSpeeds = [-1, -2, -4, -8, -16] as const
/** The positions of the shuttle; 0 is a pause. */
export const shuttleSpeeds = [...reverseSpeeds.toReversed(), 0, 1, 2, 4, 8, 16] as const

/** The next faster rate backwards; the slowest if the player plays forwards. The fastest stays. */
export const fasterBackwards = (rate: number): number =>
  reverseSpeeds.find((speed) => speed < rate && rate < 0) ?? (rate < 0 ? rate : -1)

/** The next faster rate forwards; backwards, the next slower rate, after the slowest 1. The fastest stays. */
export const fasterForwards = (rate: number): number =>
  (rate < 0 ? reverseSpeeds.findLast((speed) => speed > rate) : speeds.find((speed) => speed > rate)) ??
  (rate < 0 ? 1 : rate)
