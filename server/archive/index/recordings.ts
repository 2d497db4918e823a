import * as z from 'zod/mini'
import { bit, type Store } from '../../store/store.ts'
import type { Counts } from '../format/chunk-file.ts'

const RecordingRow = z.object({
  recording: z.number(),
  /** The length of its longest chunk, milliseconds. */
  longest: z.number(),
  nextSequence: z.number(),
  nextDiscontinuity: z.number(),
  targetDuration: z.number(),
})
export type Recording = z.output<typeof RecordingRow>

const TotalRow = z.object({
  recording: z.number(),
  uid: z.string(),
  bytes: z.number(),
  owner: z.nullable(z.string()),
  isOfAdministrator: bit,
})
export type Total = z.output<typeof TotalRow>

export const totalBytesOf = (totals: readonly Pick<Total, 'bytes'>[]): number =>
  totals.reduce((sum, { bytes }) => sum + bytes, 0)

const OrphanRow = z.object({ uid: z.string(), name: z.string(), bytes: z.number(), depthHours: z.number() })
const UidRow = z.object({ uid: z.string() })
/** `isListed`: its files on all nodes are listed as garbage. */
const PurgedRow = z.object({ recording: z.number(), uid: z.string(), isListed: bit })
export type Purged = z.output<typeof PurgedRow>

/** After and before every moment, epoch milliseconds. */
export const maxMoment = Number.MAX_SAFE_INTEGER
export const minMoment = Number.MIN_SAFE_INTEGER

const BytesRow = z.object({ bytes: z.number() })
const IdRow = z.object({ id: z.number() })

/** The bytes of a recording on available volumes. */
const bytesAvailable = `recordings.bytes - coalesce((SELECT sum(holdings.bytes) FROM holdings
  JOIN volumes ON volumes.id = volume WHERE recording = recordings.id AND missing = 1), 0)`
/** The bytes of a recording on volume ?1. */
export const bytesOn = `CASE ?1
  WHEN 0 THEN recordings.bytes -
    coalesce((SELECT sum(holdings.bytes) FROM holdings WHERE recording = recordings.id), 0)
  ELSE coalesce((SELECT holdings.bytes FROM holdings WHERE recording = recordings.id AND volume = ?1), 0) END`
const totalsOf = (bytes: string): string =>
  `SELECT recordings.id AS recording, recordings.uid, ${bytes} AS bytes,
     coalesce(streams.owner, recordings.owner) AS owner,
     EXISTS (SELECT 1 FROM users WHERE login = coalesce(streams.owner, recordings.owner) COLLATE NOCASE
       AND is_admin = 1) AS isOfAdministrator
   FROM recordings LEFT JOIN streams ON streams.uid = recordings.uid WHERE purged = 0`

/** Deletes the first ?2 + 1 rows of recording ?1. */
export const deleteFirst = (table: 'chunks' | 'segments'): string =>
  `DELETE FROM ${table} WHERE recording = ?1 AND start <= coalesce(
     (SELECT start FROM ${table} WHERE recording = ?1 ORDER BY start LIMIT 1 OFFSET ?2), ${maxMoment})`

const isOrphaned = 'purged = 0 AND NOT EXISTS (SELECT 1 FROM streams WHERE streams.uid = recordings.uid)'
const orphans = 'SELECT uid, name, bytes, depth_hours AS depthHours FROM recordings'

export const createRecordings = (store: Store) => {
  const find = (uid: string): Promise<Recording | undefined> =>
    store.get(
      RecordingRow,
      `SELECT id AS recording, longest, next_sequence AS nextSequence, next_discontinuity AS nextDiscontinuity,
         target_duration AS targetDuration FROM recordings WHERE uid = ? AND purged = 0`,
      uid,
    )

  return {
    /** The recording of a stream, added if it doesn't exist. */
    open: async (uid: string): Promise<Recording> => {
      await store.run(
        `INSERT INTO recordings (uid, next_sequence, next_discontinuity, target_duration) VALUES (?, 0, 0, 2)
         ON CONFLICT DO NOTHING`,
        uid,
      )
      const found = await find(uid)
      if (found === undefined) throw new Error('The recording is being deleted')
      return found
    },
    recording: find,
    /** Raises the counters to the given ones; they never decrease. */
    raiseCounters: async (
      recording: number,
      { nextSequence, nextDiscontinuity, targetDuration }: Counts,
    ): Promise<void> => {
      await store.run(
        `UPDATE recordings SET next_sequence = max(next_sequence, ?), next_discontinuity = max(next_discontinuity, ?),
           target_duration = max(target_duration, ?) WHERE id = ?`,
        nextSequence,
        nextDiscontinuity,
        targetDuration,
        recording,
      )
    },
    /** Raises the counters of segments and discontinuities by `count`, for segments whose numbers are unknown. */
    raiseCountersBy: async (recording: number, count: number): Promise<void> => {
      await store.run(
        `UPDATE recordings SET next_sequence = next_sequence + ?2, next_discontinuity = next_discontinuity + ?2
         WHERE id = ?1`,
        recording,
        count,
      )
    },
    uids: async (): Promise<string[]> =>
      (await store.all(UidRow, 'SELECT uid FROM recordings WHERE purged = 0')).map(({ uid }) => uid),
    /** Sizes of recordings on available volumes. */
    totals: (): Promise<Total[]> => store.all(TotalRow, totalsOf(bytesAvailable)),
    totalsOn: (volume: number): Promise<Total[]> => store.all(TotalRow, totalsOf(bytesOn), volume),
    /** The recordings that have anything on a volume. */
    heldOn: async (volume: number): Promise<number[]> =>
      (await store.all(IdRow, `SELECT id FROM recordings WHERE purged = 0 AND ${bytesOn} > 0`, volume)).map(
        ({ id }) => id,
      ),
    bytesOf: async (recording: number): Promise<number> =>
      (await store.get(BytesRow, `SELECT ${bytesAvailable} AS bytes FROM recordings WHERE id = ?`, recording))?.bytes ??
      0,
    /** Recordings whose streams were removed. `depthHours`: -1 without a limit. */
    orphaned: () => store.all(OrphanRow, `${orphans} WHERE ${isOrphaned} ORDER BY name, uid`),
    orphanOf: (uid: string) => store.get(OrphanRow, `${orphans} WHERE uid = ? AND ${isOrphaned}`, uid),
    /** Stores what retention and the list of orphaned recordings need of a stream that is being removed. */
    markOrphaned: async (
      uid: string,
      stream: { name: string; owner: string | null; depthHours: number },
    ): Promise<void> => {
      const { name, owner, depthHours } = stream
      await store.run(
        'UPDATE recordings SET name = ?, owner = ?, depth_hours = ? WHERE uid = ?',
        name,
        owner,
        depthHours,
        uid,
      )
    },
    /** The moment up to which files and rows agree, epoch milliseconds. */
    consistentUntil: async (uid: string): Promise<number> =>
      (await store.get(z.object({ settled: z.number() }), 'SELECT settled FROM recordings WHERE uid = ?', uid))
        ?.settled ?? 0,
    /** Stores for all recordings that files and rows agree before a moment; written once an hour. */
    markConsistent: async (before: number): Promise<void> => {
      await store.run('UPDATE recordings SET settled = ?1 WHERE settled < ?1 - 3600000', before)
    },
    /** Hides the recording at once and deletes its locks; `purgeSome` deletes its rows. */
    markPurged: async (uid: string): Promise<void> => {
      await store.run('DELETE FROM archive_locks WHERE uid = ?', uid)
      await store.run('UPDATE recordings SET purged = 1 WHERE uid = ?', uid)
    },
    markListed: async (recording: number): Promise<void> => {
      await store.run('UPDATE recordings SET purged = 2 WHERE id = ?', recording)
    },
    purged: (): Promise<Purged[]> =>
      store.all(
        PurgedRow,
        `SELECT id AS recording, uid, CASE WHEN purged = 1 THEN 0 ELSE 1 END AS isListed
         FROM recordings WHERE purged > 0`,
      ),
    /**
     * Deletes some rows of a purged recording, and at last its own row, if `areFilesDeleted`. False when nothing is
     * left to delete. Within a transaction.
     */
    purgeSome: async ({ recording, uid }: Purged, limit: number, areFilesDeleted: boolean): Promise<boolean> => {
      const remove = async (sql: string, ...values: (string | number)[]): Promise<boolean> =>
        (await store.run(sql, ...values)).changes > 0
      const someOf = (table: string, column: string): string =>
        `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${column} = ? LIMIT ?)`
      return (
        (await remove(deleteFirst('chunks'), recording, limit)) ||
        (await remove(deleteFirst('segments'), recording, limit)) ||
        (await remove(someOf('annotations', 'uid'), uid, limit)) ||
        (await remove(someOf('runs', 'recording'), recording, limit)) ||
        (areFilesDeleted && (await remove('DELETE FROM recordings WHERE id = ?', recording)))
      )
    },
  }
}
