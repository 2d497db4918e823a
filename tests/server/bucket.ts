import { createHash } from 'node:crypto'

const prefixOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 16)

/** Whether the servers under test keep their recordings in a bucket: then no short disk deletes them. */
export const isInBucket = process.env['TEST_ARCHIVE_URL'] !== undefined

/** The bucket of a server under test: TEST_ARCHIVE_URL names one, of which each data folder has a prefix of its own. */
export const bucketOf = (dataDir: string): { archiveUrl?: string } => {
  const bucket = process.env['TEST_ARCHIVE_URL']
  return bucket === undefined ? {} : { archiveUrl: bucket.replace('?', `${prefixOf(dataDir)}?`) }
}
