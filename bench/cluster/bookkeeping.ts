import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Site } from '../../scripts/nodes.ts'
import { openBucket } from '../../server/storage/bucket.ts'
import { isBucketUrl } from '../../server/storage/bucket-url.ts'
import { chunkFile, folderIn } from '../../server/storage/folders.ts'
import { openPostgres } from '../../server/store/postgres/open.ts'
import type { Store } from '../../server/store/store.ts'
import type { Tenure } from './losses.ts'

const Row = z.object({ uid: z.string(), start: z.number(), path: z.string() })
const CountRow = z.object({ count: z.number() })
const StoredRow = z.object({ uid: z.string(), ms: z.number() })
const LeaseRow = z.object({ uid: z.string(), node: z.string(), epoch: z.number(), since: z.number() })
const located = `FROM chunks JOIN recordings ON recordings.id = recording JOIN volumes ON volumes.id = chunks.volume`
const lookEveryMs = 500

const rowsOf = (store: Store) => store.all(Row, `SELECT uid, start, path ${located}`)
const nameOf = ({ uid, start }: { uid: string; start: number }): string => `${uid}/${chunkFile(start)}`

/** Asks the database of a site. */
export const withStore = async <T>(
  { postgres }: Pick<Site, 'postgres'>,
  work: (store: Store) => Promise<T>,
): Promise<T> => {
  const store = await openPostgres(postgres.url)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const objectsIn = async ({ s3, archiveUrl }: Site): Promise<Set<string>> => {
  Object.assign(process.env, s3.env)
  const bucket = openBucket(archiveUrl)
  try {
    const found = new Set<string>()
    for (const uid of await bucket.recordings())
      for (const hour of await bucket.hours(uid))
        for (const name of await bucket.names(uid, hour)) found.add(`${uid}/${hour}/${name}`)
    return found
  } finally {
    bucket.close()
  }
}

/** Chunks that a row has but no bucket or disk, and objects of the bucket that have no row. The nodes may run. */
export const unpaired = async (site: Site): Promise<{ rows: string[]; objects: string[] }> =>
  withStore(site, async (store) => {
    const before = await rowsOf(store)
    const objects = await objectsIn(site)
    const rows = before.filter((row) => {
      if (objects.has(nameOf(row))) return false
      return isBucketUrl(row.path) || !existsSync(join(folderIn(row.path, row.uid), chunkFile(row.start)))
    })
    // A chunk may have gone from the disk to the bucket, or been deleted, since the objects were listed.
    const now = await rowsOf(store)
    const paths = new Map(now.map((row) => [nameOf(row), row.path]))
    return {
      rows: rows.filter((row) => paths.get(nameOf(row)) === row.path).map(nameOf),
      objects: [...objects].filter((name) => !paths.has(name)),
    }
  })

/** Seconds of each camera between two moments that aren't in the bucket. */
export const missingInBucket = (
  site: Pick<Site, 'postgres'>,
  uids: readonly string[],
  from: number,
  until: number,
): Promise<number[]> =>
  withStore(site, async (store) => {
    const sql = `SELECT uid, sum(least(finish, ?) - greatest(start, ?)) AS ms ${located}
      WHERE start < ? AND finish > ? AND path LIKE 's3://%' GROUP BY uid`
    const rows = await store.all(StoredRow, sql, until, from, until, from)
    return uids.map((uid) => (until - from - (rows.find((row) => row.uid === uid)?.ms ?? 0)) / 1000)
  })

/** Whether the sweep has removed all that began before a moment, rows and objects. */
export const isSwept = (site: Pick<Site, 'postgres'>, before: number): Promise<boolean> =>
  withStore(site, async (store) => {
    const sql = `SELECT (SELECT count(*) FROM garbage) + (SELECT count(*) FROM chunks WHERE start < ?) AS count`
    return (await store.get(CountRow, sql, before))?.count === 0
  })

/** Reads from the database, which is away at times, who holds which camera since when. `stop` returns all found. */
export const watchTenures = async ({ postgres }: Pick<Site, 'postgres'>) => {
  const store = await openPostgres(postgres.url)
  const found = new Map<string, Tenure>()
  const stopping = new AbortController()
  const look = async (): Promise<void> => {
    for (const tenure of await store.all(LeaseRow, 'SELECT uid, node, epoch, since FROM leases'))
      found.set(`${tenure.uid} ${tenure.epoch}`, tenure)
  }
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look().catch(() => undefined)
      await after(lookEveryMs)
    }
  }
  const watching = watch()
  return {
    stop: async (): Promise<Tenure[]> => {
      stopping.abort()
      await watching
      await store.close()
      return [...found.values()].toSorted((one, other) => one.since - other.since)
    },
  }
}
