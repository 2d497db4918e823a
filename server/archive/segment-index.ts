import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { readInit, type Init } from '../media/fragments.ts'
import { bit, inTransaction, query } from '../store/database.ts'

/** One complete segment. `start` and `finish` are epoch milliseconds, `duration` and `mediaStart` seconds. */
export type Segment = {
  start: number
  finish: number
  duration: number
  mediaStart: number
  run: number
  bytes: number
  /** Relative to the stream's folder; `place` is where the segment begins in it. */
  file: string
  place: number
}

/** What a playlist says of a segment. */
export type Listed = Pick<Segment, 'start' | 'finish' | 'duration' | 'run'>

export type Run = { id: number; init: Init; codecs: string; width: number; height: number; hasSound: boolean }

/** Some with sound and some without can't be played as they are: the stretch is served without sound (playback.md, Ingest). */
export const isMixed = (runs: readonly Run[]): boolean =>
  runs.some((run) => run.hasSound) && runs.some((run) => !run.hasSound)

export type Numbers = { recording: number; nextSequence: number; nextDiscontinuity: number; targetDuration: number }

const segmentColumns = 'start, finish, duration, media_start AS mediaStart, run, bytes, file, place'
const SegmentRow = z.object({
  start: z.number(),
  finish: z.number(),
  duration: z.number(),
  mediaStart: z.number(),
  run: z.number(),
  bytes: z.number(),
  file: z.string(),
  place: z.number(),
})
const RunRow = z.object({
  id: z.number(),
  init: z.instanceof(Uint8Array),
  codecs: z.string(),
  width: z.number(),
  height: z.number(),
  hasSound: bit,
})
const NumbersRow = z.object({
  recording: z.number(),
  nextSequence: z.number(),
  nextDiscontinuity: z.number(),
  targetDuration: z.number(),
})
const MomentRow = z.object({ moment: z.nullable(z.number()) })
const PeriodRow = z.object({ startTime: z.nullable(z.number()), endTime: z.nullable(z.number()) })
const IdRow = z.object({ id: z.number() })
const FileRow = z.object({ file: z.string() })

/** Neighbours closer than this are one fragment in ranges: a reconnect that lost nothing to speak of. */
export const gapToleranceMs = 1000

export type SegmentIndex = ReturnType<typeof createSegmentIndex>

/** What is recorded, by time. Every question about the archive is asked here; `uid` is the stream's. */
export const createSegmentIndex = (db: DatabaseSync) => {
  const numbersOf = query(
    db,
    NumbersRow,
    `SELECT id AS recording, next_sequence AS nextSequence, next_discontinuity AS nextDiscontinuity,
       target_duration AS targetDuration FROM recordings WHERE uid = ?`,
  )
  const insertRun = query(
    db,
    IdRow,
    'INSERT INTO runs (recording, init, codecs, width, height, has_sound) VALUES (?, ?, ?, ?, ?, ?) RETURNING id',
  )
  const runColumns = 'runs.id, init, codecs, width, height, has_sound AS hasSound'
  const runById = query(
    db,
    RunRow,
    `SELECT ${runColumns} FROM runs JOIN recordings ON recordings.id = recording WHERE uid = ? AND runs.id = ?`,
  )
  const newestRun = query(
    db,
    RunRow,
    `SELECT ${runColumns} FROM runs JOIN recordings ON recordings.id = recording WHERE uid = ? ORDER BY runs.id DESC LIMIT 1`,
  )
  /** The first segment that ends after a moment, as its start: the one that holds it, or the next. */
  const firstStart = `coalesce(
    (SELECT start FROM segments WHERE recording = ?1 AND start <= ?2 AND finish > ?2 ORDER BY start DESC LIMIT 1), ?2)`
  const within = query(
    db,
    SegmentRow,
    `SELECT ${segmentColumns} FROM segments WHERE recording = ?1 AND start >= ${firstStart} AND start < ?3 AND passing = 0
     ORDER BY start LIMIT ?4`,
  )
  const at = query(
    db,
    SegmentRow,
    `SELECT ${segmentColumns} FROM segments WHERE recording = ? AND start <= ? AND passing = 0 ORDER BY start DESC LIMIT 1`,
  )
  const exact = query(db, SegmentRow, `SELECT ${segmentColumns} FROM segments WHERE recording = ? AND start = ?`)
  const newest = query(
    db,
    SegmentRow,
    `SELECT ${segmentColumns} FROM segments WHERE recording = ? ORDER BY start DESC LIMIT 1`,
  )
  const nextStart = query(
    db,
    MomentRow,
    'SELECT min(start) AS moment FROM segments WHERE recording = ? AND start >= ? AND passing = 0',
  )
  const period = query(
    db,
    PeriodRow,
    `SELECT (SELECT start FROM segments WHERE recording = ?1 AND passing = 0 ORDER BY start LIMIT 1) AS startTime,
       (SELECT finish FROM segments WHERE recording = ?1 AND passing = 0 ORDER BY start DESC LIMIT 1) AS endTime`,
  )
  const runsWithin = query(
    db,
    RunRow,
    `SELECT ${runColumns} FROM runs WHERE recording = ?1 AND EXISTS (
       SELECT 1 FROM segments WHERE segments.run = runs.id AND segments.recording = ?1 AND start >= ${firstStart} AND start < ?3 AND passing = 0)
     ORDER BY runs.id`,
  )
  const insertSegment = db.prepare(
    `INSERT INTO segments (recording, start, finish, duration, media_start, run, passing, bytes, file, place)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const setNumbers = db.prepare(
    'UPDATE recordings SET next_sequence = ?, next_discontinuity = ?, target_duration = ? WHERE id = ?',
  )
  const spans = db.prepare(
    `SELECT start, finish FROM segments WHERE recording = ?1 AND start >= ${firstStart} AND start < ?3 AND passing = 0
     ORDER BY start`,
  )
  spans.setReturnArrays(true)
  const listed = db.prepare(
    `SELECT start, finish, duration, run FROM segments
     WHERE recording = ?1 AND start >= ${firstStart} AND start < ?3 AND passing = 0 ORDER BY start LIMIT ?4`,
  )
  listed.setReturnArrays(true)
  const filesIn = query(
    db,
    FileRow,
    'SELECT DISTINCT file FROM segments WHERE recording = ? AND file >= ? AND file < ?',
  )
  const folders = query(db, FileRow, 'SELECT DISTINCT substr(file, 1, 10) AS file FROM segments WHERE recording = ?')
  const aged = query(
    db,
    z.extend(SegmentRow, { recording: z.number(), uid: z.string() }),
    `SELECT ${segmentColumns}, recording, uid FROM segments JOIN recordings ON recordings.id = recording
     WHERE recording = ? AND start < ? AND passing >= ? ORDER BY start LIMIT ?`,
  )
  const eldest = query(
    db,
    z.extend(SegmentRow, { recording: z.number(), uid: z.string() }),
    `SELECT ${segmentColumns}, recording, uid FROM segments JOIN recordings ON recordings.id = recording
     ORDER BY start LIMIT ?`,
  )
  const dropRuns = db.prepare(
    `DELETE FROM runs WHERE NOT EXISTS (SELECT 1 FROM segments WHERE segments.run = runs.id)
     AND id NOT IN (SELECT max(id) FROM runs GROUP BY recording) AND id NOT IN (SELECT value FROM json_each(?))`,
  )
  const deleteSegment = db.prepare('DELETE FROM segments WHERE recording = ? AND start = ?')
  const usesOfFile = query(
    db,
    FileRow,
    'SELECT file FROM segments WHERE recording = ? AND file = ? LIMIT 1',
  )

  const insert = (recording: number, each: Segment, isPassing: boolean): void => {
    const { start, finish, duration, mediaStart, run, bytes, file, place } = each
    insertSegment.run(recording, start, finish, duration, mediaStart, run, isPassing ? 1 : 0, bytes, file, place)
  }
  const recordingOf = (uid: string): number => numbersOf.get(uid)?.recording ?? -1
  const toRun = (row: z.output<typeof RunRow> | undefined): Run | undefined => {
    if (row === undefined) return undefined
    const init = readInit(Buffer.from(row.init))
    return init === undefined ? undefined : { ...row, init }
  }

  return {
    /** The stream's recording, made on first use. */
    open: (uid: string): Numbers => {
      db.prepare(
        'INSERT INTO recordings (uid, next_sequence, next_discontinuity, target_duration) VALUES (?, 0, 0, 2) ON CONFLICT DO NOTHING',
      ).run(uid)
      const numbers = numbersOf.get(uid)
      if (numbers === undefined) throw new Error('The recording was not made')
      return numbers
    },
    numbers: (uid: string): Numbers | undefined => numbersOf.get(uid),
    addRun: (recording: number, init: Init): Run => {
      const codecs = init.tracks.map((track) => track.codec).join(',')
      const { width, height } = init.video
      const hasSound = init.tracks.some((track) => track.kind === 'audio')
      const row = insertRun.get(recording, init.bytes, codecs, width, height, hasSound ? 1 : 0)
      if (row === undefined) throw new Error('The run was not kept')
      return { id: row.id, init, codecs, width, height, hasSound }
    },
    run: (uid: string, id: number): Run | undefined => toRun(runById.get(uid, id)),
    newestRun: (uid: string): Run | undefined => toRun(newestRun.get(uid)),
    /** Adds a complete segment and moves the numbers on: both or nothing. */
    add: (numbers: Numbers, segment: Segment, isPassing: boolean): void => {
      inTransaction(db, () => {
        insert(numbers.recording, segment, isPassing)
        setNumbers.run(numbers.nextSequence, numbers.nextDiscontinuity, numbers.targetDuration, numbers.recording)
      })
    },
    /** Keeps the numbers of a segment that isn't kept itself, so that they don't go back after a restart. */
    saveNumbers: ({ nextSequence, nextDiscontinuity, targetDuration, recording }: Numbers): void => {
      setNumbers.run(nextSequence, nextDiscontinuity, targetDuration, recording)
    },
    /** Adds segments that lie before those of now. */
    addPast: (recording: number, segments: readonly Segment[]): void => {
      inTransaction(db, () => {
        for (const segment of segments) insert(recording, segment, false)
      })
    },
    /** Segments that overlap a stretch, oldest first, at most `limit`; the first may begin before it. */
    within: (uid: string, from: number, to: number, limit: number): Segment[] =>
      within.all(recordingOf(uid), from, to, limit),
    /** The same with what a playlist says of them, for stretches of hundreds of thousands. */
    listedWithin: (uid: string, from: number, to: number, limit: number): Listed[] => {
      // Columns of numbers by a STRICT table; a schema would take longer than all the rest.
      const rows = listed.all(recordingOf(uid), from, to, limit)
      return rows.map((row) => ({ start: Number(row[0]), finish: Number(row[1]), duration: Number(row[2]), run: Number(row[3]) }))
    },
    /** The segment that holds a moment, or the newest before it if that ended less than a segment ago. */
    at: (uid: string, moment: number): Segment | undefined => {
      const found = at.get(recordingOf(uid), moment)
      return found !== undefined && found.finish + gapToleranceMs > moment ? found : undefined
    },
    startingAt: (uid: string, start: number): Segment | undefined => exact.get(recordingOf(uid), start),
    newest: (uid: string): Segment | undefined => newest.get(recordingOf(uid)),
    nextStart: (uid: string, from: number): number | undefined =>
      nextStart.get(recordingOf(uid), from)?.moment ?? undefined,
    /** The whole recorded stretch. */
    period: (uid: string): { startTime: number; endTime: number } | undefined => {
      const found = period.get(recordingOf(uid))
      if (found === undefined || found.startTime === null || found.endTime === null) return undefined
      return { startTime: found.startTime, endTime: found.endTime }
    },
    /** The runs that a stretch touches. */
    runsWithin: (uid: string, from: number, to: number): Run[] =>
      runsWithin.all(recordingOf(uid), from, to).flatMap((row) => toRun(row) ?? []),
    /** Recorded fragments of a stretch, neighbours joined, cut to the stretch. */
    fragments: (uid: string, from: number, to: number): { from: number; to: number }[] => {
      const joined: { from: number; to: number }[] = []
      for (const row of spans.all(recordingOf(uid), from, to)) {
        const [start, finish] = [Number(row[0]), Number(row[1])]
        const last = joined.at(-1)
        if (last !== undefined && start - last.to <= gapToleranceMs) last.to = Math.min(finish, to)
        else joined.push({ from: Math.max(start, from), to: Math.min(finish, to) })
      }
      return joined
    },
    /** Files under a folder of the stream that rows name. */
    filesIn: (uid: string, folder: string): Set<string> =>
      new Set(filesIn.all(recordingOf(uid), `${folder}/`, `${folder}0`).map((row) => row.file)),
    /** The folders that rows name, hours of UTC. */
    foldersOf: (uid: string): string[] => folders.all(recordingOf(uid)).map((row) => row.file),
    /** Segments that began before a moment; of streams without archive only where `passingOnly`. */
    aged: (recording: number, before: number, passingOnly: boolean, limit: number) =>
      aged.all(recording, before, passingOnly ? 1 : 0, limit),
    /** The oldest segments of all streams. */
    eldest: (limit: number) => eldest.all(limit),
    remove: (recording: number, starts: readonly number[]): void => {
      inTransaction(db, () => {
        for (const start of starts) deleteSegment.run(recording, start)
      })
    },
    removeFile: (uid: string, file: string): void => {
      db.prepare('DELETE FROM segments WHERE recording = ? AND file = ?').run(recordingOf(uid), file)
    },
    isUsed: (recording: number, file: string): boolean => usesOfFile.get(recording, file) !== undefined,
    /** Inits that nothing refers to any more, but for each recording's newest, and those that are recorded under just now. */
    dropEmptyRuns: (inUse: readonly number[]): void => {
      dropRuns.run(JSON.stringify(inUse))
    },
    drop: (uid: string): void => {
      db.prepare('DELETE FROM segments WHERE recording = ?').run(recordingOf(uid))
      db.prepare('DELETE FROM recordings WHERE uid = ?').run(uid)
      db.prepare('DELETE FROM annotations WHERE uid = ?').run(uid)
    },
    uids: (): string[] =>
      query(db, z.object({ uid: z.string() }), 'SELECT uid FROM recordings')
        .all()
        .map((row) => row.uid),
  }
}
