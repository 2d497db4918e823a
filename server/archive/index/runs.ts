import * as z from 'zod/mini'
import { readInit } from '../../media/fragments.ts'
import { bit, type Store } from '../../store/store.ts'
import type { Run } from '../format/run.ts'

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

/** How many runs of each condition `near` returns at most. */
const maxNear = 6

/** No chunk and no segment of an older version refers to the run. */
const isEmpty = `NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.run = runs.id)
  AND NOT EXISTS (SELECT 1 FROM segments WHERE segments.run = runs.id)`
const isNewest = 'id = (SELECT max(id) FROM runs AS others WHERE others.recording = runs.recording)'

const toRun = (row: z.output<typeof RunRow> | undefined): Run | undefined => {
  if (row === undefined) return undefined
  const init = readInit(Buffer.from(row.init))
  return init === undefined ? undefined : { ...row, init }
}

export const createRuns = (store: Store) => {
  const byId = async (recording: number, id: number): Promise<Run | undefined> =>
    toRun(await store.get(RunRow, `SELECT ${columns} FROM runs WHERE id = ? AND recording = ?`, id, recording))
  const some = async (condition: string, ...values: number[]): Promise<Run[]> => {
    const sql = `SELECT ${columns} FROM runs WHERE recording = ? AND ${condition} LIMIT ${maxNear}`
    return (await store.all(RunRow, sql, ...values)).flatMap((row) => toRun(row) ?? [])
  }

  return {
    byId,
    byKey: async (recording: number, key: string): Promise<Run | undefined> =>
      toRun(await store.get(RunRow, `SELECT ${columns} FROM runs WHERE recording = ? AND key = ?`, recording, key)),
    newest: async (recording: number): Promise<Run | undefined> =>
      toRun(
        await store.get(RunRow, `SELECT ${columns} FROM runs WHERE recording = ? ORDER BY id DESC LIMIT 1`, recording),
      ),
    /** The index's id of a run, added if it doesn't exist; within a transaction. */
    put: async (recording: number, { id, key, init, codecs, width, height, hasSound }: Run): Promise<number> => {
      const known = await store.get(IdRow, 'SELECT id FROM runs WHERE recording = ? AND key = ?', recording, key)
      if (known !== undefined) return known.id
      const last = await store.get(IdRow, 'SELECT coalesce(max(id), 0) AS id FROM runs')
      const isTaken = (await store.get(IdRow, 'SELECT id FROM runs WHERE id = ?', id)) !== undefined
      const own = isTaken ? (last?.id ?? 0) + 1 : id
      await store.run(`DELETE FROM runs WHERE recording = ? AND ${isNewest} AND ${isEmpty}`, recording)
      await store.run(
        `INSERT INTO runs (id, recording, key, init, codecs, width, height, has_sound) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        own,
        recording,
        key,
        init.bytes,
        codecs,
        width,
        height,
        hasSound ? 1 : 0,
      )
      return own
    },
    /** Stores the start of a segment of the run as that of its first one, unless an earlier one is stored. */
    lowerFirst: async (id: number, start: number): Promise<void> => {
      await store.run('UPDATE runs SET first = ?2 WHERE id = ?1 AND (first IS NULL OR first > ?2)', id, start)
    },
    /** One run of each kind among those that begin in a range. */
    begunWithin: async (recording: number, from: number, to: number): Promise<number[]> => {
      const found = await store.all(
        IdRow,
        `SELECT min(id) AS id FROM runs WHERE recording = ? AND first >= ? AND first < ?
         GROUP BY codecs, width, height, has_sound`,
        recording,
        from,
        to,
      )
      return found.map(({ id }) => id)
    },
    /** The runs that a segment of a moment may be of, the likeliest first. */
    near: async (recording: number, moment: number): Promise<Run[]> => [
      ...(await some('first <= ? ORDER BY first DESC', recording, moment)),
      ...(await some('first > ? ORDER BY first', recording, moment)),
      ...(await some('first IS NULL ORDER BY id DESC', recording)),
    ],
    /** Deletes a run without recordings, except the newest of its recording; within a transaction. */
    drop: async (id: number): Promise<void> => {
      await store.run(`DELETE FROM runs WHERE id = ? AND ${isEmpty} AND NOT (${isNewest})`, id)
    },
    /** The same for all runs of a recording. */
    dropEmpty: async (recording: number): Promise<void> => {
      await store.run(`DELETE FROM runs WHERE recording = ? AND ${isEmpty} AND NOT (${isNewest})`, recording)
    },
  }
}
