import { createHash } from 'node:crypto'

const prefixOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 16)

/** Whether the servers under test store recordings in a bucket: then a full disk deletes none. */
export const isInBucket = process.env['TEST_ARCHIVE_URL'] !== undefined

/** The bucket of a server under test: TEST_ARCHIVE_URL, with a prefix for each data folder. */
export const bucketOf = (dataDir: string): { archiveUrl?: string } => {
  const bucket = process.env['TEST_ARCHIVE_URL']
  return bucket === undefined ? {} : { archiveUrl: bucket.replace('?', `${prefixOf(dataDir)}?`) }
}
