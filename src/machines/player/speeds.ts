/** Playback speeds (docs/behaviour.md §7). */
export const speeds = [0.25, 0.5, 1, 2, 4, 8, 16] as const
