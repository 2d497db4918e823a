import { randomBytes } from 'node:crypto'
import type { Init } from '../media/fragments.ts'

/** Segments with one init. `key` identifies it in files, for good; `id` in the index. */
export type Run = {
  id: number
  key: string
  init: Init
  codecs: string
  width: number
  height: number
  hasSound: boolean
}

/** Players fail on a mix of runs with and without sound: such a range is served without. */
export const isMixed = (runs: readonly Run[]): boolean =>
  runs.some((run) => run.hasSound) && runs.some((run) => !run.hasSound)

export const newRunKey = (): string => randomBytes(16).toString('hex')

/** Recordings that begin a run in the same millisecond and get different ids. */
const recordings = 4096
const since = Date.UTC(2020, 0)

/**
 * Ids for the runs of a recording. They follow the clock, so that no id repeats after an older database is restored
 * (players cache by them), and need no query, so that recording works without the database.
 */
export const createRunIds = (recording: number, now: () => number): (() => number) => {
  let last = 0
  return () => {
    const least = Math.max(0, now() - since) * recordings
    const moment = Math.max(least, last - (last % recordings) + recordings)
    last = moment + (recording % recordings)
    return last
  }
}

export const runOf = (id: number, key: string, init: Init): Run => ({
  id,
  key,
  init,
  codecs: init.tracks.map((track) => track.codec).join(','),
  width: init.video.width,
  height: init.video.height,
  hasSound: init.tracks.some((track) => track.kind === 'audio'),
})
