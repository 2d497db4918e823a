import * as z from 'zod/mini'
import { createGarbageRows, type Garbage } from './garbage-rows.ts'
import type { Store } from '../../store/store.ts'
import { readTable } from '../format/chunk-table.ts'
import { hourMs } from '../../durations.ts'
import { chunkFile } from '../../storage/folders.ts'
import type { Recording } from './recordings.ts'
import type { Segment } from '../format/segment.ts'
import type { Chunk } from '../format/spool.ts'
import { ownVolume } from '../../storage/volume-list.ts'

/** A chunk that retention may delete. */
export const StoredRow = z.object({
  recording: z.number(),
  uid: z.string(),
  start: z.number(),
  finish: z.number(),
  run: z.number(),
  bytes: z.number(),
  volume: z.number(),
})
export type StoredChunk = z.output<typeof StoredRow>

const ChunkRow = z.object({
  start: z.number(),
  run: z.number(),
  volume: z.number(),
  segments: z.instanceof(Uint8Array),
})
const RangeRow = z.object({ start: z.number(), finish: z.number() })
const BytesRow = z.object({ bytes: z.number() })
const RunRow = z.object({ run: z.number() })
const StartRow = z.object({ start: z.number() })
const MaybeStartRow = z.object({ start: z.nullable(z.number()) })
const ChunkFileRow = z.object({ start: z.number(), volume: z.number(), bytes: z.number() })
const ChunkOfRecordingRow = z.extend(ChunkFileRow, { uid: z.string() })

/** Runs overlap after the clock was set back: so many chunks are read to find them all. */
const chunksRead = 64

/** Chunks of a recording that overlap a range. `start > ?` (its begin less the longest chunk) bounds the search. */
export const overlapping = 'recording = ? AND start > ? AND start < ? AND finish > ?'
/** Chunks on a missing volume are left out, so that a gap is shown. */
export const isAvailable = 'volume NOT IN (SELECT id FROM volumes WHERE missing = 1)'
const overlap = `${overlapping} AND ${isAvailable} ORDER BY start LIMIT ?`
const ofStream = `SELECT start, run, volume, segments FROM recordings JOIN chunks ON recording = recordings.id
  WHERE uid = ? AND purged = 0 AND start > ? - longest AND start < ? AND finish > ? AND ${isAvailable}
  ORDER BY start LIMIT ?`
/** By the primary key, the chunks on all other volumes would be walked through. */
export const byVolume = 'INDEXED BY chunks_volume'
/** The first or last start of a recording on a volume. */
const edge = (order: 'ASC' | 'DESC', condition = ''): string =>
  `(SELECT start FROM chunks ${byVolume} WHERE recording = ?1 AND volume = volumes.id ${condition}
     ORDER BY start ${order} LIMIT 1)`
const firstOf = (condition = ''): string =>
  `SELECT min(${edge('ASC', condition)}) AS start FROM volumes WHERE missing = 0`

const toSegments = (rows: readonly z.output<typeof ChunkRow>[]): Segment[] => {
  const found: Segment[] = []
  for (const { start: first, run, volume, segments } of rows) {
    const file = chunkFile(first)
    readTable(segments, first, (start, finish, duration, mediaStart, offset, bytes) =>
      found.push({ start, finish, duration, mediaStart, offset, bytes, run, volume, file }),
    )
  }
  return found
}

const ofRecording = `SELECT start, volume, chunks.bytes, uid FROM chunks JOIN recordings ON recordings.id = recording
  WHERE recording = ?`
const ofStart = `${ofRecording} AND start = ?`
const storedFrom = (hint = ''): string => `SELECT recording, uid, start, finish, run, chunks.bytes, volume
  FROM chunks ${hint} JOIN recordings ON recordings.id = recording`

/** Adds to what a recording has on a volume. */
const addHolding = async (store: Store, recording: number, volume: number, bytes: number): Promise<void> => {
  if (volume === ownVolume) return
  await store.run(
    `INSERT INTO holdings (recording, volume, bytes) VALUES (?1, ?2, ?3)
     ON CONFLICT (recording, volume) DO UPDATE SET bytes = holdings.bytes + excluded.bytes`,
    recording,
    volume,
    bytes,
  )
}

export const createChunkRows = (store: Store, leavesGarbage: (volume: number) => boolean) => {
  const garbage = createGarbageRows(store)
  /** Lists a chunk in a bucket or on another node as garbage; others are deleted by the caller. */
  const discard = async (volume: number, chunk: Garbage): Promise<void> => {
    if (leavesGarbage(volume)) await garbage.add(volume, [chunk])
  }
  return {
    garbage,
    /** Of a stream's recording: a query of the recording for its id would double what a segment waits. */
    within: async (
      uid: string,
      from: number,
      to: number,
      limit: number,
    ): Promise<{ segments: Segment[]; chunks: number }> => {
      const rows = await store.all(ChunkRow, ofStream, uid, from, to, from, limit)
      return { segments: toSegments(rows), chunks: rows.length }
    },
    /** The ranges of chunks: these have no gaps, so that their tables aren't needed. */
    rangesWithin: ({ recording, longest }: Recording, from: number, to: number, limit: number) =>
      store.all(
        RangeRow,
        `SELECT start, finish FROM chunks WHERE ${overlap}`,
        recording,
        from - longest,
        to,
        from,
        limit,
      ),
    /** The runs of the first chunks in a range. */
    runsWithin: async ({ recording, longest }: Recording, from: number, to: number): Promise<number[]> => {
      const sql = `SELECT DISTINCT run FROM (SELECT run FROM chunks WHERE ${overlap}) AS first_chunks`
      const found = await store.all(RunRow, sql, recording, from - longest, to, from, chunksRead)
      return found.map(({ run }) => run)
    },
    newest: async (recording: number): Promise<Segment[]> => {
      const sql = `SELECT start, run, volume, segments FROM chunks WHERE recording = ?1
      AND start = (SELECT max(${edge('DESC')}) FROM volumes WHERE missing = 0)`
      const row = await store.get(ChunkRow, sql, recording)
      return row === undefined ? [] : toSegments([row])
    },
    oldestStart: async (recording: number): Promise<number | undefined> =>
      (await store.get(MaybeStartRow, firstOf(), recording))?.start ?? undefined,
    /** The start of the first chunk that ends after a moment. */
    nextStart: async ({ recording, longest }: Recording, from: number): Promise<number | undefined> => {
      const sql = firstOf('AND start > ?2 AND finish > ?3')
      return (await store.get(MaybeStartRow, sql, recording, from - longest, from))?.start ?? undefined
    },
    /** Includes chunks on a missing volume. */
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
    /** The size of all chunks within a range. */
    bytesWithin: async ({ recording, longest }: Recording, from: number, to: number): Promise<number> => {
      const sql = `SELECT coalesce(sum(bytes), 0) AS bytes FROM chunks WHERE ${overlapping} AND ${isAvailable}`
      return (await store.get(BytesRow, sql, recording, from - longest, to, from))?.bytes ?? 0
    },
    /** The ranges of the chunks within a range, also of those on a missing volume. */
    takenWithin: ({ recording, longest }: Recording, from: number, to: number) =>
      store.all(RangeRow, `SELECT start, finish FROM chunks WHERE ${overlapping}`, recording, from - longest, to, from),
    /** The first start of each hour that has chunks on a volume, from a moment on. */
    hourStarts: async (volume: number, recording: number, from: number, limit: number): Promise<number[]> => {
      const first = (moment: string): string =>
        `(SELECT start FROM chunks WHERE recording = ?1 AND volume = ?4 AND start >= ${moment} ORDER BY start LIMIT 1)`
      const sql = `WITH RECURSIVE firsts (start) AS (SELECT ${first('?2')} UNION ALL
        SELECT ${first(`(firsts.start / ${hourMs} + 1) * ${hourMs}`)} FROM firsts WHERE firsts.start IS NOT NULL)
        SELECT start FROM firsts WHERE start IS NOT NULL LIMIT ?3`
      return (await store.all(StartRow, sql, recording, from, limit, volume)).map(({ start }) => start)
    },
    oldest: (recording: number, from: number, before: number, limit: number): Promise<StoredChunk[]> =>
      store.all(
        StoredRow,
        `${storedFrom()} WHERE recording = ? AND start >= ? AND start < ? AND finish <= ? ORDER BY start LIMIT ?`,
        recording,
        from,
        before,
        before,
        limit,
      ),
    oldestOn: (volume: number, recording: number, from: number, limit: number): Promise<StoredChunk[]> =>
      store.all(
        StoredRow,
        `${storedFrom(byVolume)} WHERE recording = ? AND volume = ? AND start >= ? ORDER BY start LIMIT ?`,
        recording,
        volume,
        from,
        limit,
      ),
    /** Rejects if there is a chunk with this start. Within a transaction. */
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
      await addHolding(store, recording, volume, bytes)
      await store.run(
        'UPDATE recordings SET bytes = bytes + ?2, longest = max(longest, ?3) WHERE id = ?1',
        recording,
        bytes,
        finish - start,
      )
    },
    /** Within a transaction. */
    remove: async (recording: number, start: number): Promise<void> => {
      const row = await store.get(ChunkOfRecordingRow, ofStart, recording, start)
      if (row === undefined) return
      await discard(row.volume, row)
      await store.run('DELETE FROM chunks WHERE recording = ? AND start = ?', recording, start)
      await store.run('UPDATE recordings SET bytes = bytes - ?2 WHERE id = ?1', recording, row.bytes)
      await addHolding(store, recording, row.volume, -row.bytes)
    },
    /** Discards the oldest chunks; to be called before their rows are deleted. Within a transaction. */
    discardFirst: async (recording: number, limit: number): Promise<void> => {
      for (const row of await store.all(ChunkOfRecordingRow, `${ofRecording} ORDER BY start LIMIT ?`, recording, limit))
        await discard(row.volume, row)
    },
    /**
     * Changes the volume of a row to another one that has a copy of the file, and discards the copy on the old one. If
     * the row no longer exists, discards the new copy and returns false. Within a transaction.
     */
    move: async (recording: number, { uid, start }: Garbage, volume: number): Promise<boolean> => {
      const row = await store.get(ChunkOfRecordingRow, ofStart, recording, start)
      if (row === undefined) {
        await discard(volume, { uid, start })
        return false
      }
      if (row.volume === volume) return true
      await store.run('UPDATE chunks SET volume = ? WHERE recording = ? AND start = ?', volume, recording, start)
      await addHolding(store, recording, row.volume, -row.bytes)
      await addHolding(store, recording, volume, row.bytes)
      await discard(row.volume, row)
      return true
    },
  }
}
