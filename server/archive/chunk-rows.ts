import * as z from 'zod/mini'
import { createGarbageRows, type Garbage } from './garbage-rows.ts'
import type { Store } from '../store/store.ts'
import { readTable } from './chunk-table.ts'
import { chunkFile } from '../storage/folders.ts'
import type { Recording } from './recordings.ts'
import type { Segment } from './segment.ts'
import type { Chunk } from './spool.ts'
import { ownVolume } from '../storage/volume-list.ts'

/** A row with a file that retention may delete. */
export const StoredRow = z.object({
  recording: z.number(),
  uid: z.string(),
  start: z.number(),
  finish: z.number(),
  run: z.number(),
  bytes: z.number(),
  volume: z.number(),
})
export type Stored = z.output<typeof StoredRow>

const ChunkRow = z.object({
  start: z.number(),
  run: z.number(),
  volume: z.number(),
  segments: z.instanceof(Uint8Array),
})
const PeriodRow = z.object({ start: z.number(), finish: z.number() })
const RunRow = z.object({ run: z.number() })
const StartRow = z.object({ start: z.number() })
const MaybeStartRow = z.object({ start: z.nullable(z.number()) })
const ChunkFileRow = z.object({ start: z.number(), volume: z.number(), bytes: z.number() })
const KnownRow = z.extend(ChunkFileRow, { uid: z.string() })

/** Overlapping runs, after a clock set back, are found within this many chunks. */
const chunksLookedAt = 64

/** Chunks of a recording that overlap a range: bounded by the longest one, not by what is recorded. */
const overlapping = 'recording = ? AND start > ? AND start < ? AND finish > ?'
/** Recordings on a missing volume are shown as a gap. */
const isThere = 'volume NOT IN (SELECT id FROM volumes WHERE missing = 1)'
const overlap = `${overlapping} AND ${isThere} ORDER BY start LIMIT ?`
/** First or last chunk of a recording, from the available volumes; reads one chunk of each. */
const edge = (order: 'ASC' | 'DESC'): string =>
  `(SELECT start FROM chunks WHERE recording = ?1 AND volume = volumes.id ORDER BY start ${order} LIMIT 1)`

const toSegments = ({ start: first, run, volume, segments }: z.output<typeof ChunkRow>): Segment[] => {
  const file = chunkFile(first)
  const found: Segment[] = []
  readTable(segments, first, (start, finish, duration, mediaStart, offset, bytes) =>
    found.push({ start, finish, duration, mediaStart, offset, bytes, run, volume, file }),
  )
  return found
}

const known = `SELECT start, volume, chunks.bytes, uid FROM chunks JOIN recordings ON recordings.id = recording
  WHERE recording = ?`
const ofStart = `${known} AND start = ?`
const stored = `SELECT recording, uid, start, finish, run, chunks.bytes, volume
  FROM chunks JOIN recordings ON recordings.id = recording`

const hold = async (store: Store, recording: number, volume: number, bytes: number): Promise<void> => {
  if (volume === ownVolume) return
  await store.run(
    `INSERT INTO holdings (recording, volume, bytes) VALUES (?1, ?2, ?3)
     ON CONFLICT (recording, volume) DO UPDATE SET bytes = holdings.bytes + excluded.bytes`,
    recording,
    volume,
    bytes,
  )
}

export const createChunkRows = (store: Store, isBucket: (volume: number) => boolean) => {
  const garbage = createGarbageRows(store)
  const discard = async (volume: number, chunk: Garbage): Promise<void> => {
    if (isBucket(volume)) await garbage.add(volume, [chunk])
  }
  return {
    garbage,
    within: async (
      { recording, longest }: Recording,
      from: number,
      to: number,
      limit: number,
    ): Promise<Segment[][]> => {
      const sql = `SELECT start, run, volume, segments FROM chunks WHERE ${overlap}`
      return (await store.all(ChunkRow, sql, recording, from - longest, to, from, limit)).map(toSegments)
    },
    /** Reads no segment tables: a chunk has no gaps. */
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
      const sql = `SELECT DISTINCT run FROM (SELECT run FROM chunks WHERE ${overlap}) AS taken`
      const found = await store.all(RunRow, sql, recording, from - longest, to, from, chunksLookedAt)
      return found.map(({ run }) => run)
    },
    newest: async (recording: number): Promise<Segment[]> => {
      const sql = `SELECT start, run, volume, segments FROM chunks WHERE recording = ?1
      AND start = (SELECT max(${edge('DESC')}) FROM volumes WHERE missing = 0)`
      const row = await store.get(ChunkRow, sql, recording)
      return row === undefined ? [] : toSegments(row)
    },
    oldestStart: async (recording: number): Promise<number | undefined> =>
      (await store.get(MaybeStartRow, `SELECT min(${edge('ASC')}) AS start FROM volumes WHERE missing = 0`, recording))
        ?.start ?? undefined,
    /** Also chunks on a missing volume. */
    startingWithin: (recording: number, from: number, to: number) =>
      store.all(
        ChunkFileRow,
        'SELECT start, volume, bytes FROM chunks WHERE recording = ? AND start >= ? AND start < ?',
        recording,
        from,
        to,
      ),
    /** Whether anything is recorded in a range, also on a missing volume. */
    isAnyWithin: async ({ recording, longest }: Recording, from: number, to: number): Promise<boolean> => {
      const sql = `SELECT start FROM chunks WHERE ${overlapping} LIMIT 1`
      return (await store.get(StartRow, sql, recording, from - longest, to, from)) !== undefined
    },
    nextStart: async (recording: number, from: number): Promise<number | undefined> => {
      const sql = 'SELECT start FROM chunks WHERE recording = ? AND start >= ? ORDER BY start LIMIT 1'
      return (await store.get(StartRow, sql, recording, from))?.start
    },
    oldest: (recording: number, from: number, before: number, limit: number): Promise<Stored[]> =>
      store.all(
        StoredRow,
        `${stored} WHERE recording = ? AND start >= ? AND start < ? AND finish <= ? ORDER BY start LIMIT ?`,
        recording,
        from,
        before,
        before,
        limit,
      ),
    oldestOn: (volume: number, recording: number, from: number, limit: number): Promise<Stored[]> =>
      store.all(
        StoredRow,
        `${stored} WHERE recording = ? AND volume = ? AND start >= ? ORDER BY start LIMIT ?`,
        recording,
        volume,
        from,
        limit,
      ),
    /** Within a transaction. Rejects if there is a chunk with this start. */
    add: async (recording: number, { start, finish, bytes, table, volume }: Chunk, run: number): Promise<void> => {
      await store.run(
        'INSERT INTO chunks (recording, start, finish, run, bytes, segments, volume) VALUES (?, ?, ?, ?, ?, ?, ?)',
        recording,
        start,
        finish,
        run,
        bytes,
        table,
        volume,
      )
      await hold(store, recording, volume, bytes)
      await store.run(
        'UPDATE recordings SET bytes = bytes + ?2, longest = max(longest, ?3) WHERE id = ?1',
        recording,
        bytes,
        finish - start,
      )
    },
    /** Within a transaction. */
    remove: async (recording: number, start: number): Promise<void> => {
      const row = await store.get(KnownRow, ofStart, recording, start)
      if (row === undefined) return
      await discard(row.volume, row)
      await store.run('DELETE FROM chunks WHERE recording = ? AND start = ?', recording, start)
      await store.run('UPDATE recordings SET bytes = bytes - ?2 WHERE id = ?1', recording, row.bytes)
      await hold(store, recording, row.volume, -row.bytes)
    },
    /** Within a transaction, before so many of the oldest are deleted. */
    discardFirst: async (recording: number, limit: number): Promise<void> => {
      for (const row of await store.all(KnownRow, `${known} ORDER BY start LIMIT ?`, recording, limit))
        await discard(row.volume, row)
    },
    /**
     * Within a transaction: its file is on another volume as well, and goes from the one it was on. False if there is
     * no such chunk any more; then the copy goes.
     */
    move: async (recording: number, { uid, start }: Garbage, volume: number): Promise<boolean> => {
      const row = await store.get(KnownRow, ofStart, recording, start)
      if (row === undefined) {
        await discard(volume, { uid, start })
        return false
      }
      if (row.volume === volume) return true
      await store.run('UPDATE chunks SET volume = ? WHERE recording = ? AND start = ?', volume, recording, start)
      await hold(store, recording, row.volume, -row.bytes)
      await hold(store, recording, volume, row.bytes)
      await discard(row.volume, row)
      return true
    },
  }
}
