import { startPostgres } from './postgres.ts'
import { argumentsOf, runVitest } from './run-vitest.ts'

/**
 * Runs the server's tests on PostgreSQL, each server in its own schema: `node scripts/postgres-tests.ts [REPORT.json
 * [FILE …]]`. REPORT.json: the results; FILE: a test, by default all.
 */
const { report, files } = argumentsOf('vitest-postgres.json')
const postgres = await startPostgres()
try {
  await runVitest(report, files.length > 0 ? files : ['tests/server/'], { TEST_DATABASE_URL: postgres.url })
} finally {
  await postgres.remove()
}
