import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { hasPostgres, startPostgres } from './postgres.ts'
import { startS3 } from './s3.ts'

/**
 * The tests of the archive with the recordings in a bucket, and on PostgreSQL where that is installed:
 * `node scripts/s3-tests.ts REPORT [FILE …]`, where REPORT is the file of results and FILE a test, by default those of
 * the archive.
 */
const [, , report = join('test-results', 'vitest-s3.json'), ...files] = process.argv

const archive = ['archive', 'exports', 'previews', 'locks', 'events'].map((name) => `tests/server/${name}.test.ts`)

const s3 = await startS3()
await s3.makeBucket('tests')
const postgres = hasPostgres() ? await startPostgres() : undefined
try {
  const child = spawn(
    'vitest',
    [
      'run',
      '--project=!long',
      '--maxWorkers=3',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...(files.length > 0 ? files : archive),
    ],
    {
      env: {
        ...process.env,
        ...s3.env,
        TEST_ARCHIVE_URL: s3.urlOf('tests'),
        ...(postgres === undefined ? {} : { TEST_DATABASE_URL: postgres.url }),
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  const [code] = await once(child, 'exit')
  process.exitCode = code === 0 ? 0 : 1
} finally {
  await postgres?.remove()
  await s3.remove()
}
