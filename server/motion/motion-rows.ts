import * as z from 'zod/mini'
import type { Recording } from '../archive/index/recordings.ts'
import type { Store } from '../store/store.ts'

const UnindexedRow = z.object({ start: z.number(), finish: z.number(), run: z.number(), volume: z.number() })
export type UnindexedChunk = z.output<typeof UnindexedRow>
const MotionRow = z.object({ start: z.number(), finish: z.number(), packed: z.instanceof(Uint8Array) })
const FinishRow = z.object({ finish: z.number() })

const middle = '(chunks.start + chunks.finish) / 2'

export type MotionRows = ReturnType<typeof createMotionRows>

export const createMotionRows = (store: Store) => ({
  /** The first chunk without a motion index that begins after a moment, and whose middle the substream lacks. */
  nextUnindexed: (
    recording: number,
    after: number,
    substream: Pick<Recording, 'recording' | 'longest'> | undefined,
  ): Promise<UnindexedChunk | undefined> =>
    store.get(
      UnindexedRow,
      `SELECT start, finish, run, volume FROM chunks WHERE recording = ?1 AND start > ?2 AND NOT EXISTS (
         SELECT 1 FROM motion WHERE motion.recording = chunks.recording AND motion.start = chunks.start)
       AND NOT EXISTS (SELECT 1 FROM chunks AS others WHERE others.recording = ?3
         AND others.start > ${middle} - ?4 AND others.start <= ${middle} AND others.finish > ${middle})
       ORDER BY start LIMIT 1`,
      recording,
      after,
      substream?.recording ?? null,
      substream?.longest ?? 0,
    ),
  /** Adds the packed samples of a chunk. Does nothing if the chunk was deleted meanwhile. */
  add: async (recording: number, start: number, packed: Uint8Array): Promise<void> => {
    await store.run(
      `INSERT INTO motion (recording, start, finish, cells)
       SELECT recording, start, finish, ?3 FROM chunks WHERE recording = ?1 AND start = ?2
       ON CONFLICT DO NOTHING`,
      recording,
      start,
      packed,
    )
  },
  /** The rows of chunks that overlap a range, oldest first. */
  within: ({ recording, longest }: Pick<Recording, 'recording' | 'longest'>, from: number, to: number, limit: number) =>
    store.all(
      MotionRow,
      `SELECT start, finish, cells AS packed FROM motion WHERE recording = ? AND start > ? AND start < ? AND finish > ?
       ORDER BY start LIMIT ?`,
      recording,
      from - longest,
      to,
      from,
      limit,
    ),
  indexedUntil: async (recording: number): Promise<number | undefined> =>
    (await store.get(FinishRow, 'SELECT finish FROM motion WHERE recording = ? ORDER BY start DESC LIMIT 1', recording))
      ?.finish,
})
