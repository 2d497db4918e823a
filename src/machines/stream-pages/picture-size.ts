import type { Track } from '../../api/contract/stream.ts'

const pixelsOf = (tracks: readonly Track[]): number =>
  Math.max(0, ...tracks.map(({ width = 0, height = 0 }) => width * height))

/** Whether a substream is useless because its picture isn't smaller than the main one; false if a size isn't known. */
export const isAsLarge = (substream: readonly Track[], main: readonly Track[]): boolean =>
  pixelsOf(main) > 0 && pixelsOf(substream) >= pixelsOf(main)
