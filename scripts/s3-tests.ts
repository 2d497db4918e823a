import { hasPostgres, startPostgres } from './postgres.ts'
import { argumentsOf, runVitest } from './run-vitest.ts'
import { startS3 } from './s3.ts'

/**
 * Runs the tests of the archive with recordings in a bucket, and on PostgreSQL if it is installed: `node
 * scripts/s3-tests.ts [REPORT.json [FILE …]]`. REPORT.json: the results; FILE: a test, by default those of the archive.
 */
const { report, files } = argumentsOf('vitest-s3.json')

const archive = ['archive/archive', 'archive/events', 'archive/locks', 'exports/exports', 'media/previews'].map(
  (name) => `tests/server/${name}.test.ts`,
)

const s3 = await startS3()
await s3.makeBucket('tests')
const postgres = hasPostgres() ? await startPostgres() : undefined
try {
  await runVitest(report, files.length > 0 ? files : archive, {
    ...s3.env,
    TEST_ARCHIVE_URL: s3.urlOf('tests'),
    ...(postgres === undefined ? {} : { TEST_DATABASE_URL: postgres.url }),
  })
} finally {
  await postgres?.remove()
  await s3.remove()
}
