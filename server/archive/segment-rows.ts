import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import * as z from 'zod/mini'
import { query } from '../store/database.ts'

/** One complete segment. `start` and `finish` in epoch milliseconds, `duration` and `mediaStart` in seconds. */
export type Segment = {
  start: number
  finish: number
  duration: number
  mediaStart: number
  run: number
  bytes: number
  /** Relative to the stream's folder; `offset` is where the segment begins in the file. */
  file: string
  offset: number
}

export type Listed = Pick<Segment, 'start' | 'finish' | 'duration' | 'run'>

/** Neighbours closer than this form one range: a reconnect without a loss worth showing. */
export const gapToleranceMs = 1000

/** Rows per turn of the event loop: some milliseconds. */
export const pageOfSegments = 2000

const columns = 'start, finish, duration, media_start AS mediaStart, run, segments.bytes, file, place AS offset'
const SegmentRow = z.object({
  start: z.number(),
  finish: z.number(),
  duration: z.number(),
  mediaStart: z.number(),
  run: z.number(),
  bytes: z.number(),
  file: z.string(),
  offset: z.number(),
})
const KeptRow = z.extend(SegmentRow, { recording: z.number(), uid: z.string() })
export type KeptSegment = z.output<typeof KeptRow>

const StartRow = z.object({ start: z.number() })
const PeriodRow = z.object({ startTime: z.nullable(z.number()), endTime: z.nullable(z.number()) })
const NeighbourRow = z.object({ start: z.number(), mediaStart: z.number() })

/** Start of the segment of recording ?1 that contains moment ?2, or of the next; `longest` bounds the search. */
export const startWithin = `coalesce(
  (SELECT start FROM segments WHERE recording = ?1 AND start <= ?2 AND finish > ?2
     AND start > ?2 - (SELECT longest FROM recordings WHERE id = ?1) ORDER BY start DESC LIMIT 1), ?2)`

const inRange = 'recording = ? AND start >= ? AND start < ? AND passing = 0 ORDER BY start LIMIT ?'

export const createSegmentRows = (db: DatabaseSync, recordingOf: (uid: string) => number) => {
  const first = query(db, StartRow, `SELECT ${startWithin} AS start`)
  const segments = query(db, SegmentRow, `SELECT ${columns} FROM segments WHERE ${inRange}`)
  const at = query(
    db,
    SegmentRow,
    `SELECT ${columns} FROM segments WHERE recording = ? AND start <= ? AND passing = 0 ORDER BY start DESC LIMIT 1`,
  )
  const exact = query(db, SegmentRow, `SELECT ${columns} FROM segments WHERE recording = ? AND start = ?`)
  const newest = query(
    db,
    SegmentRow,
    `SELECT ${columns} FROM segments WHERE recording = ? ORDER BY start DESC LIMIT 1`,
  )
  const nextStart = query(
    db,
    StartRow,
    'SELECT start FROM segments WHERE recording = ? AND start >= ? AND passing = 0 ORDER BY start LIMIT 1',
  )
  const period = query(
    db,
    PeriodRow,
    `SELECT (SELECT start FROM segments WHERE recording = ?1 AND passing = 0 ORDER BY start LIMIT 1) AS startTime,
       (SELECT finish FROM segments WHERE recording = ?1 AND passing = 0 ORDER BY start DESC LIMIT 1) AS endTime`,
  )
  const listed = db.prepare(`SELECT start, finish, duration, run FROM segments WHERE ${inRange}`)
  listed.setReturnArrays(true)
  const filesIn = db.prepare('SELECT DISTINCT file FROM segments WHERE recording = ? AND file >= ? AND file < ?')
  filesIn.setReturnArrays(true)
  const nextFile = query(
    db,
    z.object({ file: z.string() }),
    'SELECT file FROM segments WHERE recording = ? AND file >= ? ORDER BY file LIMIT 1',
  )
  const ofRecording = `SELECT ${columns}, recording, uid FROM segments JOIN recordings ON recordings.id = recording`
  const oldest = query(db, KeptRow, `${ofRecording} WHERE recording = ? AND start < ? ORDER BY start LIMIT ?`)
  const expired = query(db, KeptRow, `${ofRecording} WHERE passing = 1 AND start < ? ORDER BY start LIMIT ?`)
  const ofRun = 'SELECT start, media_start AS mediaStart FROM segments WHERE run = ?1 AND recording = ?2'
  const neighbours = ['start <= ?3 ORDER BY start DESC', 'start > ?3 ORDER BY start'].map((side) =>
    query(db, NeighbourRow, `${ofRun} AND ${side} LIMIT 1`),
  )

  const firstStart = (recording: number, moment: number): number => first.get(recording, moment)?.start ?? moment
  const readSegments = (recording: number, start: number, to: number, limit: number): Segment[] =>
    segments.all(recording, start, to, limit)
  // A STRICT table guarantees numbers; parsing rows with a schema would take longer than all the rest.
  const readListed = (recording: number, start: number, to: number, limit: number): Listed[] => {
    const found = listed.all(recording, start, to, limit)
    return found.map((row) => ({
      start: Number(row[0]),
      finish: Number(row[1]),
      duration: Number(row[2]),
      run: Number(row[3]),
    }))
  }

  type Read<Row> = (recording: number, start: number, to: number, limit: number) => Row[]
  const pages = async function* <Row extends { start: number }>(
    read: Read<Row>,
    uid: string,
    from: number,
    to: number,
  ): AsyncGenerator<Row[]> {
    const recording = recordingOf(uid)
    let start = firstStart(recording, from)
    for (;;) {
      const page = read(recording, start, to, pageOfSegments)
      if (page.length > 0) yield page
      const last = page.at(-1)
      if (last === undefined || page.length < pageOfSegments) return
      start = last.start + 1
      await turn()
    }
  }

  return {
    /** Segments that overlap a range, oldest first, at most `limit`; the first may begin before it. */
    within: (uid: string, from: number, to: number, limit: number): Segment[] => {
      const recording = recordingOf(uid)
      return readSegments(recording, firstStart(recording, from), to, limit)
    },
    /** `within` in pages, for ranges of any length. */
    pagesWithin: (uid: string, from: number, to: number) => pages(readSegments, uid, from, to),
    listedWithin: (uid: string, from: number, to: number) => pages(readListed, uid, from, to),
    /** The segment that contains a moment, or the newest before it if that ended less than a second ago. */
    at: (uid: string, moment: number): Segment | undefined => {
      const found = at.get(recordingOf(uid), moment)
      return found !== undefined && found.finish + gapToleranceMs > moment ? found : undefined
    },
    startingAt: (uid: string, start: number): Segment | undefined => exact.get(recordingOf(uid), start),
    newest: (uid: string): Segment | undefined => newest.get(recordingOf(uid)),
    nextStart: (uid: string, from: number): number | undefined => nextStart.get(recordingOf(uid), from)?.start,
    period: (uid: string): { startTime: number; endTime: number } | undefined => {
      const found = period.get(recordingOf(uid))
      if (found === undefined || found.startTime === null || found.endTime === null) return undefined
      return { startTime: found.startTime, endTime: found.endTime }
    },
    filesIn: (uid: string, hour: string): Set<string> =>
      new Set(filesIn.all(recordingOf(uid), `${hour}/`, `${hour}0`).map((row) => String(row[0]))),
    /** The hours (UTC) whose folders rows refer to, oldest first. */
    *hoursOf(uid: string): Generator<string> {
      const recording = recordingOf(uid)
      let hour = nextFile.get(recording, '')?.file.slice(0, 10)
      while (hour !== undefined) {
        yield hour
        hour = nextFile.get(recording, `${hour}0`)?.file.slice(0, 10)
      }
    },
    oldest: (recording: number, before: number, limit: number): KeptSegment[] => oldest.all(recording, before, limit),
    /** The oldest live-only segments of all streams that began before a moment. */
    expired: (before: number, limit: number): KeptSegment[] => expired.all(before, limit),
    neighboursIn: (uid: string, run: number, moment: number) =>
      neighbours.flatMap((side) => side.get(run, recordingOf(uid), moment) ?? []),
  }
}
