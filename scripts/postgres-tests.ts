import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startPostgres } from './postgres.ts'

/**
 * The server's tests on PostgreSQL, each server in a schema of its own: `node scripts/postgres-tests.ts REPORT [FILE …]`,
 * where REPORT is the file of results and FILE a test, by default all of them.
 */
const [, , report = join('test-results', 'vitest-postgres.json'), ...files] = process.argv
const postgres = await startPostgres()
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
      ...(files.length > 0 ? files : ['tests/server/']),
    ],
    { env: { ...process.env, TEST_DATABASE_URL: postgres.url }, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const [code] = await once(child, 'exit')
  process.exitCode = code === 0 ? 0 : 1
} finally {
  await postgres.remove()
}
