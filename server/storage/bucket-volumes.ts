import { randomUUID } from 'node:crypto'
import { UsageError } from '../usage-error.ts'
import type { Bucket } from './bucket.ts'
import { BucketRefused } from './bucket-errors.ts'
import { isBucketUrl, nameOfBucket } from './bucket-url.ts'
import { StorageAway } from './chunk-storage.ts'
import type { KnownVolume } from './volume-list.ts'
import type { VolumeRows } from './volume-rows.ts'

export type BucketVolume = KnownVolume & { bucket: Bucket }

/** Loads the SDK, which a server without a bucket doesn't need. */
const open = async (bucketUrl: string): Promise<Bucket> => (await import('./bucket.ts')).openBucket(bucketUrl)

/** The key of a new marker, or of the one that another node has just written. */
const newKeyIn = async (bucket: Bucket): Promise<string> => {
  const key = randomUUID()
  try {
    await bucket.writeMarker(key)
    return key
  } catch (error) {
    const other = await bucket.readMarker()
    if (other === undefined) throw error
    return other
  }
}

const openConfigured = async (rows: VolumeRows, bucketUrl: string): Promise<BucketVolume> => {
  const bucket = await open(bucketUrl)
  const known = await rows.all()
  const byPath = known.find(({ path }) => path === bucketUrl)
  let key: string | undefined
  try {
    key = await bucket.readMarker()
    if (key === undefined && byPath === undefined) key = await newKeyIn(bucket)
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error
    // The server starts without a known bucket that doesn't answer: recordings wait for it on the disk.
    if (error instanceof BucketRefused || byPath === undefined)
      throw new UsageError(`ARCHIVE_URL: ${nameOfBucket(bucketUrl)} can't be used: ${error.message}`, 'ARCHIVE_URL')
  }
  const row = key === undefined ? byPath : known.find((each) => each.key === key)
  if (row !== undefined && row.path !== bucketUrl) await rows.move(row.id, bucketUrl)
  // Of nodes that start together, and find the same marker, one adds its row.
  const add = async (): Promise<number> =>
    (await rows.all()).find((each) => each.key === key)?.id ?? (await rows.add(key ?? '', bucketUrl))
  const id = row?.id ?? (await rows.exclusively(add))
  return { id, key: row?.key ?? key ?? '', path: bucketUrl, isListed: true, bucket }
}

/** The bucket that chunks are handed in to, and earlier ones that still have chunks. */
export const openBuckets = async (rows: VolumeRows, bucketUrl: string | undefined): Promise<BucketVolume[]> => {
  const found: BucketVolume[] = bucketUrl === undefined ? [] : [await openConfigured(rows, bucketUrl)]
  for (const { id, key, path } of await rows.all()) {
    if (!isBucketUrl(path) || found.some((each) => each.id === id) || (await rows.drop(id))) continue
    found.push({ id, key, path, isListed: false, bucket: await open(path) })
  }
  return found
}
