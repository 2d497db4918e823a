import * as z from 'zod/mini'
import type { Store } from '../store/store.ts'
import { unpackTable } from './chunk-table.ts'
import { chunkFile } from './folders.ts'
import type { Recording } from './recordings.ts'
import type { Segment } from './segment.ts'
import type { Chunk } from './spool.ts'

/** Something with a file that retention may remove. */
export type Stored = { recording: number; uid: string; start: number; finish: number; run: number; bytes: number }

const ChunkRow = z.object({ start: z.number(), run: z.number(), segments: z.instanceof(Uint8Array) })
const PeriodRow = z.object({ start: z.number(), finish: z.number() })
const StoredRow = z.object({
  recording: z.number(),
  uid: z.string(),
  start: z.number(),
  finish: z.number(),
  run: z.number(),
  bytes: z.number(),
})
const RunRow = z.object({ run: z.number() })
const StartRow = z.object({ start: z.number() })

/** Overlapping runs, after a clock set back, are found within this many chunks. */
const chunksLookedAt = 64

/** Chunks of a recording that overlap a range: bounded by the longest one, not by what is recorded. */
const overlap = 'recording = ? AND start > ? AND start < ? AND finish > ? ORDER BY start LIMIT ?'

const toSegments = ({ start, run, segments }: z.output<typeof ChunkRow>): Segment[] => {
  const file = chunkFile(start)
  return unpackTable(segments, start).map((segment) => ({ ...segment, run, file }))
}

export const createChunkRows = (store: Store) => ({
  within: async ({ recording, longest }: Recording, from: number, to: number, limit: number): Promise<Segment[][]> => {
    const sql = `SELECT start, run, segments FROM chunks WHERE ${overlap}`
    return (await store.all(ChunkRow, sql, recording, from - longest, to, from, limit)).map(toSegments)
  },
  /** Without their segments: a chunk has no gaps. */
  periodsWithin: ({ recording, longest }: Recording, from: number, to: number, limit: number) =>
    store.all(
      PeriodRow,
      `SELECT start, finish FROM chunks WHERE ${overlap}`,
      recording,
      from - longest,
      to,
      from,
      limit,
    ),
  /** The runs of the first chunks in a range. */
  runsWithin: async ({ recording, longest }: Recording, from: number, to: number): Promise<number[]> => {
    const sql = `SELECT DISTINCT run FROM (SELECT run FROM chunks WHERE ${overlap})`
    const found = await store.all(RunRow, sql, recording, from - longest, to, from, chunksLookedAt)
    return found.map(({ run }) => run)
  },
  newest: async (recording: number): Promise<Segment[]> => {
    const sql = 'SELECT start, run, segments FROM chunks WHERE recording = ? ORDER BY start DESC LIMIT 1'
    const row = await store.get(ChunkRow, sql, recording)
    return row === undefined ? [] : toSegments(row)
  },
  oldestStart: async (recording: number): Promise<number | undefined> =>
    (await store.get(StartRow, 'SELECT start FROM chunks WHERE recording = ? ORDER BY start LIMIT 1', recording))
      ?.start,
  startsBetween: async (recording: number, from: number, to: number): Promise<number[]> => {
    const sql = 'SELECT start FROM chunks WHERE recording = ? AND start >= ? AND start < ?'
    return (await store.all(StartRow, sql, recording, from, to)).map(({ start }) => start)
  },
  nextStart: async (recording: number, from: number): Promise<number | undefined> => {
    const sql = 'SELECT start FROM chunks WHERE recording = ? AND start >= ? ORDER BY start LIMIT 1'
    return (await store.get(StartRow, sql, recording, from))?.start
  },
  oldest: (recording: number, before: number, limit: number): Promise<Stored[]> =>
    store.all(
      StoredRow,
      `SELECT recording, uid, start, finish, run, chunks.bytes FROM chunks JOIN recordings ON recordings.id = recording
       WHERE recording = ? AND start < ? AND finish <= ? ORDER BY start LIMIT ?`,
      recording,
      before,
      before,
      limit,
    ),
  /** Within a transaction. Rejects if there is a chunk with this start. */
  add: async (recording: number, { start, finish, bytes, table }: Chunk, run: number): Promise<void> => {
    await store.run(
      'INSERT INTO chunks (recording, start, finish, run, bytes, segments) VALUES (?, ?, ?, ?, ?, ?)',
      recording,
      start,
      finish,
      run,
      bytes,
      table,
    )
    await store.run(
      'UPDATE recordings SET bytes = bytes + ?2, longest = max(longest, ?3) WHERE id = ?1',
      recording,
      bytes,
      finish - start,
    )
  },
  /** Within a transaction. */
  remove: async (recording: number, start: number): Promise<void> => {
    const row = await store.get(
      z.object({ bytes: z.number() }),
      'SELECT bytes FROM chunks WHERE recording = ? AND start = ?',
      recording,
      start,
    )
    if (row === undefined) return
    await store.run('DELETE FROM chunks WHERE recording = ? AND start = ?', recording, start)
    await store.run('UPDATE recordings SET bytes = bytes - ?2 WHERE id = ?1', recording, row.bytes)
  },
})
