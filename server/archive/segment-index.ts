import type { TimeRange } from '../../src/api/contract/time-range.ts'
import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { inTransaction, query } from '../store/database.ts'
import { createRecordings, type Numbers } from './recordings.ts'
import { createRuns } from './runs.ts'
import { createSegmentRows, gapToleranceMs, type Segment } from './segment-rows.ts'

export { gapToleranceMs, pageOfSegments, type KeptSegment, type Listed, type Segment } from './segment-rows.ts'
export { isMixed, newRunKey, type Run } from './runs.ts'
export type { Numbers, Total } from './recordings.ts'

export type SegmentIndex = ReturnType<typeof createSegmentIndex>

export const createSegmentIndex = (db: DatabaseSync) => {
  const recordings = createRecordings(db)
  const recordingOf = (uid: string): number => recordings.numbers(uid)?.recording ?? -1
  const rows = createSegmentRows(db, recordingOf)

  const insertSegment = db.prepare(
    `INSERT INTO segments (recording, start, finish, duration, media_start, run, passing, bytes, file, place)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const setNumbers = db.prepare(
    'UPDATE recordings SET next_sequence = ?, next_discontinuity = ?, target_duration = ? WHERE id = ?',
  )
  const setLongest = db.prepare('UPDATE recordings SET longest = ?2 WHERE id = ?1 AND longest < ?2')
  const setFirst = db.prepare('UPDATE runs SET first = ?2 WHERE id = ?1 AND (first IS NULL OR first > ?2)')
  const deleteSegment = db.prepare('DELETE FROM segments WHERE recording = ? AND start = ?')
  const deleteFile = db.prepare(
    `DELETE FROM segments WHERE recording = ?1 AND start IN (
       SELECT start FROM segments WHERE recording = ?1 AND file = ?2)`,
  )
  const usesOfFile = query(
    db,
    z.object({ file: z.string() }),
    'SELECT file FROM segments WHERE recording = ? AND file = ? LIMIT 1',
  )

  const insert = (recording: number, each: Segment, expires: boolean): void => {
    const { start, finish, duration, mediaStart, run, bytes, file, offset } = each
    insertSegment.run(recording, start, finish, duration, mediaStart, run, expires ? 1 : 0, bytes, file, offset)
    setLongest.run(recording, finish - start)
    if (!expires) setFirst.run(run, start)
  }

  return {
    ...recordings,
    ...createRuns(db, recordingOf),
    ...rows,
    /** Files (`uid/file`) being written: they have no rows yet, but no crash left them. */
    inFlight: new Set<string>(),
    add: (numbers: Numbers, segment: Segment, expires: boolean): void => {
      inTransaction(db, () => {
        insert(numbers.recording, segment, expires)
        setNumbers.run(numbers.nextSequence, numbers.nextDiscontinuity, numbers.targetDuration, numbers.recording)
      })
    },
    addPast: (recording: number, segments: readonly Segment[], expires = false): void => {
      inTransaction(db, () => {
        for (const segment of segments) insert(recording, segment, expires)
      })
    },
    /** The recorded ranges within a range; neighbours are merged. Ends early if `signal` aborts. */
    fragments: async (uid: string, from: number, to: number, signal?: AbortSignal): Promise<TimeRange[]> => {
      const joined: { from: number; to: number }[] = []
      for await (const page of rows.listedWithin(uid, from, to)) {
        if (signal?.aborted === true) return joined
        for (const { start, finish } of page) {
          const last = joined.at(-1)
          if (last !== undefined && start - last.to <= gapToleranceMs) last.to = Math.max(last.to, Math.min(finish, to))
          else joined.push({ from: Math.max(start, from), to: Math.min(finish, to) })
        }
      }
      return joined
    },
    remove: (recording: number, starts: readonly number[]): void => {
      inTransaction(db, () => {
        for (const start of starts) deleteSegment.run(recording, start)
      })
    },
    removeFile: (uid: string, file: string): void => {
      deleteFile.run(recordingOf(uid), file)
    },
    isUsed: (recording: number, file: string): boolean => usesOfFile.get(recording, file) !== undefined,
  }
}
