import * as z from 'zod/mini'
import type { Store } from '../../store/store.ts'
import { StoredRow, type StoredChunk } from './chunk-rows.ts'
import { maxMoment, type Recording } from './recordings.ts'
import { TableSegment } from '../format/chunk-table.ts'
import type { Segment } from '../format/segment.ts'

const SegmentRow = z.extend(TableSegment, { volume: z.literal(0), run: z.number(), file: z.string() })
const StartRow = z.object({ start: z.number() })
const FileRow = z.object({ file: z.string() })
const OldStoredRow = z.extend(StoredRow, { file: z.string() })
/** A segment of an older version; several may share a file. */
export type StoredSegment = z.output<typeof OldStoredRow>
export type Stored = StoredChunk | StoredSegment

const CountRow = z.object({
  count: z.number(),
  bytes: z.number(),
  last: z.nullable(z.number()),
  longest: z.nullable(z.number()),
})
const NeighbourRow = z.object({ start: z.number(), mediaStart: z.number() })

/** Of those for live only, `passing` is 1. */
const columns =
  'start, finish, duration, media_start AS mediaStart, run, segments.bytes, 0 AS volume, file, place AS offset'
const storedColumns = 'recording, uid, start, finish, run, segments.bytes, 0 AS volume, file'
const ofRecording = `SELECT ${storedColumns} FROM segments JOIN recordings ON recordings.id = recording`

/** Segments that older versions recorded, one row each, until repacking converts them into chunks. */
export const createOldRows = (store: Store) => {
  const state = { isAny: true, isAdded: false }
  const some = (condition: string, ...values: number[]): Promise<Segment[]> =>
    store.all(SegmentRow, `SELECT ${columns} FROM segments WHERE ${condition}`, ...values)

  return {
    /** False once it is known that no rows are left: then the other functions need not be called. */
    isAny: () => state.isAny,
    /** Queries whether any rows are left. */
    refresh: async (): Promise<boolean> => {
      state.isAdded = false
      // True of every row: the condition makes it a search of the index of runs, not a scan.
      const found = await store.get(StartRow, 'SELECT start FROM segments WHERE run >= 0 LIMIT 1')
      state.isAny = found !== undefined || state.isAdded
      return state.isAny
    },
    within: ({ recording, longest }: Recording, from: number, to: number, limit: number): Promise<Segment[]> =>
      some(
        'recording = ? AND start > ? AND start < ? AND finish > ? AND passing = 0 ORDER BY start LIMIT ?',
        recording,
        from - longest,
        to,
        from,
        limit,
      ),
    newest: (recording: number): Promise<Segment[]> =>
      some('recording = ? AND passing = 0 ORDER BY start DESC LIMIT 1', recording),
    /** The newest segments that begin before a moment, newest first. */
    newestBefore: (recording: number, before: number, limit: number): Promise<Segment[]> =>
      some('recording = ? AND start < ? AND passing = 0 ORDER BY start DESC LIMIT ?', recording, before, limit),
    count: async (): Promise<number> =>
      (await store.get(z.object({ count: z.number() }), 'SELECT count(*) AS count FROM segments'))?.count ?? 0,
    oldestStart: async (recording: number): Promise<number | undefined> => {
      const sql = 'SELECT start FROM segments WHERE recording = ? AND passing = 0 ORDER BY start LIMIT 1'
      return (await store.get(StartRow, sql, recording))?.start
    },
    oldest: (recording: number, from: number, before: number, limit: number): Promise<StoredSegment[]> =>
      store.all(
        OldStoredRow,
        `${ofRecording} WHERE recording = ? AND start >= ? AND start < ? ORDER BY start LIMIT ?`,
        recording,
        from,
        before,
        limit,
      ),
    liveOnly: (limit: number): Promise<StoredSegment[]> =>
      store.all(
        OldStoredRow,
        `${ofRecording} WHERE passing = 1 AND start < ? ORDER BY start LIMIT ?`,
        maxMoment,
        limit,
      ),
    /** The files of an hour that rows refer to: `0` is the character after `/`. */
    filesIn: async (recording: number, hour: string): Promise<Set<string>> => {
      const sql = 'SELECT DISTINCT file FROM segments WHERE recording = ? AND file >= ? AND file < ?'
      return new Set((await store.all(FileRow, sql, recording, `${hour}/`, `${hour}0`)).map(({ file }) => file))
    },
    /** The first file in the order of names, from a name on. */
    nextFile: async (recording: number, from: string): Promise<string | undefined> => {
      const sql = 'SELECT file FROM segments WHERE recording = ? AND file >= ? ORDER BY file LIMIT 1'
      return (await store.get(FileRow, sql, recording, from))?.file
    },
    isUsed: async (recording: number, file: string): Promise<boolean> =>
      (await store.get(
        FileRow,
        'SELECT file FROM segments WHERE recording = ? AND file = ? LIMIT 1',
        recording,
        file,
      )) !== undefined,
    /** The segments of a run before and after a moment. */
    neighboursIn: async (recording: number, run: number, moment: number) => {
      const ofRun = 'SELECT start, media_start AS mediaStart FROM segments WHERE run = ? AND recording = ?'
      const sides = ['start <= ? ORDER BY start DESC', 'start > ? ORDER BY start']
      const found = []
      for (const side of sides)
        found.push(await store.get(NeighbourRow, `${ofRun} AND ${side} LIMIT 1`, run, recording, moment))
      return found.flatMap((each) => each ?? [])
    },
    add: async (recording: number, segments: readonly Segment[], isLiveOnly: boolean): Promise<void> => {
      for (const { start, finish, duration, mediaStart, run, bytes, file, offset } of segments) {
        await store.run(
          `INSERT INTO segments (recording, start, finish, duration, media_start, run, passing, bytes, file, place)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          recording,
          start,
          finish,
          duration,
          mediaStart,
          run,
          isLiveOnly ? 1 : 0,
          bytes,
          file,
          offset,
        )
        await store.run('UPDATE recordings SET longest = ?2 WHERE id = ?1 AND longest < ?2', recording, finish - start)
      }
      Object.assign(state, { isAny: true, isAdded: true })
    },
    /** False if the row no longer exists. */
    remove: async (recording: number, start: number): Promise<boolean> =>
      (await store.run('DELETE FROM segments WHERE recording = ? AND start = ?', recording, start)).changes > 0,
    removeFile: async (recording: number, file: string): Promise<void> => {
      await store.run('DELETE FROM segments INDEXED BY segments_file WHERE recording = ? AND file = ?', recording, file)
    },
    /**
     * Adds the bytes of up to `limit` segments that the first version left out of their recording's total; false once
     * none are left.
     */
    countSome: async (limit: number): Promise<boolean> => {
      const Uncounted = z.object({ recording: z.number(), counted: z.number() })
      const [next] = await store.all(
        Uncounted,
        `SELECT id AS recording, counted FROM recordings WHERE counted < ${maxMoment} LIMIT 1`,
      )
      if (next === undefined) return false
      return store.transaction(async () => {
        const found = await store.get(
          CountRow,
          `SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes, max(start) AS last,
           max(finish - start) AS longest
           FROM (SELECT start, finish, bytes FROM segments WHERE recording = ? AND start >= ? ORDER BY start LIMIT ?)
           AS counted`,
          next.recording,
          next.counted,
          limit,
        )
        const isLast = found === undefined || found.last === null || found.count < limit
        await store.run(
          'UPDATE recordings SET bytes = bytes + ?, longest = max(longest, ?), counted = ? WHERE id = ?',
          found?.bytes ?? 0,
          found?.longest ?? 0,
          isLast ? maxMoment : (found.last ?? 0) + 1,
          next.recording,
        )
        return true
      })
    },
  }
}
