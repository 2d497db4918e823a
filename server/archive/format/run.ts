import { randomBytes } from 'node:crypto'
import type { Init } from '../../media/fragments.ts'

/** Segments of one init, one after another. `id` identifies the run in the index, `key` in files, for good. */
export type Run = {
  id: number
  key: string
  init: Init
  codecs: string
  width: number
  height: number
  hasSound: boolean
}

/** Some runs have sound, others don't. Players fail on such a playlist: it is served without sound. */
export const hasMixedSound = (runs: readonly Run[]): boolean =>
  runs.some((run) => run.hasSound) && runs.some((run) => !run.hasSound)

export const newRunKey = (): string => randomBytes(16).toString('hex')

/** So many recordings can begin a run in the same millisecond with different ids. */
const idsPerMs = 4096
const firstMoment = Date.UTC(2020, 0)
/** Far below the largest exact number: the ids of a server whose clock shows a year after 2088 can still be read. */
const maxLeast = 2 ** 53 - 2 ** 43

/**
 * Ids for the runs of a recording. They follow the clock, so that no id repeats after an older database is restored
 * (players cache by them), and need no query, so that recording works without the database.
 */
export const createRunIds = (recording: number, now: () => number): (() => number) => {
  let last = 0
  return () => {
    const least = Math.min(maxLeast, Math.max(0, now() - firstMoment) * idsPerMs)
    const next = Math.max(least, last - (last % idsPerMs) + idsPerMs)
    last = next + (recording % idsPerMs)
    return last
  }
}

/** Rounds seconds to the timescale of a run's video. */
export const toTicks = (seconds: number, { init: { video } }: Run): number =>
  Math.round(seconds * video.timescale) / video.timescale

export const runOf = (id: number, key: string, init: Init): Run => ({
  id,
  key,
  init,
  codecs: init.tracks.map((track) => track.codec).join(','),
  width: init.video.width,
  height: init.video.height,
  hasSound: init.tracks.some((track) => track.kind === 'audio'),
})
