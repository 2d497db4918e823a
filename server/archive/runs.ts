import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { readInit, type Init } from '../media/fragments.ts'
import { inTransaction, query } from '../store/database.ts'
import { bit } from '../store/store.ts'
import { startWithin } from './segment-rows.ts'

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

const RunRow = z.object({
  id: z.number(),
  key: z.string(),
  init: z.instanceof(Uint8Array),
  codecs: z.string(),
  width: z.number(),
  height: z.number(),
  hasSound: bit,
})
const IdRow = z.object({ id: z.number() })
const columns = 'runs.id, runs.key, init, codecs, width, height, has_sound AS hasSound'

/** Overlapping runs, after a clock set back, are found within this many segments. */
const segmentsLookedAt = 64
const runsTried = 6

const toRun = (row: z.output<typeof RunRow> | undefined): Run | undefined => {
  if (row === undefined) return undefined
  const init = readInit(Buffer.from(row.init))
  return init === undefined ? undefined : { ...row, init }
}

const kindOf = ({ codecs, width, height, hasSound }: Run): string => `${codecs} ${width} ${height} ${hasSound}`

export const createRuns = (db: DatabaseSync, recordingOf: (uid: string) => number) => {
  // Ids follow the clock, so that none repeats after the restore of an older database: players cache by them.
  const insert = query(
    db,
    IdRow,
    `INSERT INTO runs (id, recording, key, init, codecs, width, height, has_sound)
     VALUES (max((SELECT coalesce(max(id), 0) + 1 FROM runs), CAST(unixepoch('subsec') * 1000 AS INTEGER)),
       ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  )
  const byId = query(db, RunRow, `SELECT ${columns} FROM runs WHERE id = ? AND recording = ?`)
  const byKey = query(db, RunRow, `SELECT ${columns} FROM runs WHERE recording = ? AND key = ?`)
  const newest = query(db, RunRow, `SELECT ${columns} FROM runs WHERE recording = ? ORDER BY id DESC LIMIT 1`)
  const begunWithin = query(
    db,
    IdRow,
    `SELECT min(id) AS id FROM runs WHERE recording = ? AND first >= ? AND first < ?
     GROUP BY codecs, width, height, has_sound`,
  )
  const headWithin = query(
    db,
    IdRow,
    `SELECT DISTINCT run AS id FROM (
       SELECT run FROM segments WHERE recording = ?1 AND start >= ${startWithin} AND start < ?3 AND passing = 0
       ORDER BY start LIMIT ${segmentsLookedAt})`,
  )
  const some = (condition: string) =>
    query(db, RunRow, `SELECT ${columns} FROM runs WHERE recording = ? AND ${condition} LIMIT ${runsTried}`)
  const before = some('first <= ? ORDER BY first DESC')
  const after = some('first > ? ORDER BY first')
  const unused = some('first IS NULL ORDER BY id DESC')
  const last = query(db, IdRow, 'SELECT coalesce(max(id), 0) AS id FROM runs')
  const following = query(db, IdRow, 'SELECT id FROM runs WHERE id > ? ORDER BY id LIMIT ?')
  const dropEmpty = db.prepare(
    `DELETE FROM runs WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM segments WHERE segments.run = ?1)
       AND id <> (SELECT max(id) FROM runs AS others WHERE others.recording = runs.recording)`,
  )
  const toRuns = (rows: z.output<typeof RunRow>[]): Run[] => rows.flatMap((row) => toRun(row) ?? [])

  return {
    addRun: (recording: number, init: Init, key = newRunKey()): Run => {
      const codecs = init.tracks.map((track) => track.codec).join(',')
      const { width, height } = init.video
      const hasSound = init.tracks.some((track) => track.kind === 'audio')
      const row = insert.get(recording, key, init.bytes, codecs, width, height, hasSound ? 1 : 0)
      if (row === undefined) throw new Error('The run was not kept')
      return { id: row.id, key, init, codecs, width, height, hasSound }
    },
    run: (uid: string, id: number): Run | undefined => toRun(byId.get(id, recordingOf(uid))),
    runOfKey: (uid: string, key: string): Run | undefined => toRun(byKey.get(recordingOf(uid), key)),
    newestRun: (uid: string): Run | undefined => toRun(newest.get(recordingOf(uid))),
    /** One run of each kind in a range; kinds differ in codecs, size or sound. */
    kindsWithin: (uid: string, from: number, to: number): Run[] => {
      const recording = recordingOf(uid)
      const found = [...headWithin.all(recording, from, to), ...begunWithin.all(recording, from, to)]
      const ids = new Set(found.map(({ id }) => id))
      const kinds = new Map<string, Run>()
      for (const id of [...ids].toSorted((a, b) => a - b)) {
        const run = toRun(byId.get(id, recording))
        if (run !== undefined && !kinds.has(kindOf(run))) kinds.set(kindOf(run), run)
      }
      return [...kinds.values()]
    },
    runsOf: (uid: string, segments: readonly { run: number }[]): Run[] => {
      const recording = recordingOf(uid)
      return [...new Set(segments.map(({ run }) => run))].flatMap((id) => toRun(byId.get(id, recording)) ?? [])
    },
    runsNear: (uid: string, moment: number): Run[] => {
      const recording = recordingOf(uid)
      const found = [...toRuns(before.all(recording, moment)), ...toRuns(after.all(recording, moment))]
      return [...found, ...toRuns(unused.all(recording))]
    },
    lastRun: (): number => last.get()?.id ?? 0,
    runsAfter: (id: number, limit: number): number[] => following.all(id, limit).map((row) => row.id),
    /** Deletes those runs without segments, but none in use or newest of its recording; returns the others. */
    dropEmptyRuns: (ids: Iterable<number>, inUse: ReadonlySet<number>): number[] =>
      inTransaction(db, () => [...ids].filter((id) => inUse.has(id) || dropEmpty.run(id).changes === 0)),
  }
}
