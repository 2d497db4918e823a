import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Site } from '../../scripts/nodes.ts'
import { openBucket } from '../../server/storage/bucket.ts'
import { isBucketUrl } from '../../server/storage/bucket-url.ts'
import { chunkFile, folderIn } from '../../server/storage/folders.ts'
import { openPostgres } from '../../server/store/postgres/open.ts'
import type { Store } from '../../server/store/store.ts'

const Row = z.object({ uid: z.string(), start: z.number(), path: z.string() })
const CountRow = z.object({ count: z.number() })
const located = `FROM chunks JOIN recordings ON recordings.id = recording JOIN volumes ON volumes.id = chunks.volume`

const rowsOf = (store: Store) => store.all(Row, `SELECT uid, start, path ${located}`)
const nameOf = ({ uid, start }: { uid: string; start: number }): string => `${uid}/${chunkFile(start)}`

const withStore = async <T>({ postgres }: Pick<Site, 'postgres'>, work: (store: Store) => Promise<T>): Promise<T> => {
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
    const known = new Set((await rowsOf(store)).map(nameOf))
    return { rows: rows.map(nameOf), objects: [...objects].filter((name) => !known.has(name)) }
  })

/** How many chunks that begin before a moment aren't in the bucket. */
export const notHandedIn = (site: Pick<Site, 'postgres'>, before: number): Promise<number> =>
  withStore(site, async (store) => {
    const sql = `SELECT count(*) AS count ${located} WHERE start < ? AND path NOT LIKE 's3://%'`
    return (await store.get(CountRow, sql, before))?.count ?? 0
  })
