import { startPostgres } from './postgres.ts'
import { argumentsOf, runVitest } from './run-vitest.ts'

/**
 * The server's tests on PostgreSQL, each server in a schema of its own:
 * `node scripts/postgres-tests.ts [REPORT.json [FILE …]]`, where REPORT.json is the file of results and FILE a test, by
 * default all of them.
 */
const { report, files } = argumentsOf('vitest-postgres.json')
const postgres = await startPostgres()
try {
  await runVitest(report, files.length > 0 ? files : ['tests/server/'], { TEST_DATABASE_URL: postgres.url })
} finally {
  await postgres.remove()
}
