import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import * as z from 'zod/mini'

/** Every check of the project in order; the last line alone says `N passed, N failed`, and the exit code agrees. */
const root = join(import.meta.dirname, '..')
const results = join(root, 'test-results')
const env = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
}

type Count = { passed: number; failed: number }
type Step = { name: string; command: string; args: string[]; env?: NodeJS.ProcessEnv; count: (isGood: boolean) => Count }

const asOne = (isGood: boolean): Count => (isGood ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })

const VitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number() })
const PlaywrightReport = z.object({ stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }) })

/** Counted from the report; a run that failed without a failed test (it broke, or left no report) counts as one failure. */
const fromReport =
  <Schema extends z.ZodMiniType>(file: string, schema: Schema, read: (report: z.output<Schema>) => Count) =>
  (isGood: boolean): Count => {
    if (!existsSync(file)) return { passed: 0, failed: 1 }
    const count = read(z.parse(schema, JSON.parse(readFileSync(file, 'utf8'))))
    return isGood || count.failed > 0 ? count : { ...count, failed: 1 }
  }

const vitestFile = join(results, 'vitest.json')
const playwrightFile = join(results, 'playwright.json')

const steps: Step[] = [
  { name: 'lint and import table', command: 'oxlint', args: ['--deny-warnings'], count: asOne },
  { name: 'types', command: 'tsc', args: ['--noEmit'], count: asOne },
  { name: 'unused code', command: 'knip', args: [], count: asOne },
  { name: 'messages', command: 'node', args: ['scripts/i18n-check.ts'], count: asOne },
  {
    name: 'vitest',
    command: 'vitest',
    args: ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestFile}`],
    count: fromReport(vitestFile, VitestReport, (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests })),
  },
  { name: 'edges of the machines', command: 'node', args: ['--disable-warning=ExperimentalWarning', 'scripts/coverage-machines.ts', '--kept'], count: asOne },
  {
    name: 'playwright',
    command: 'playwright',
    args: ['test', '--reporter=list,json,./e2e/walk/report.ts'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightFile },
    count: fromReport(playwrightFile, PlaywrightReport, ({ stats }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
    })),
  },
]

mkdirSync(results, { recursive: true })
for (const file of [vitestFile, playwrightFile]) rmSync(file, { force: true })

const total: Count = { passed: 0, failed: 0 }
for (const { name, command, args, env: more, count } of steps) {
  const startedAt = performance.now()
  process.stdout.write(`\n── ${name}\n`)
  const { status } = spawnSync(command, args, { cwd: root, env: { ...env, ...more }, stdio: 'inherit' })
  const { passed, failed } = count(status === 0)
  total.passed += passed
  total.failed += failed
  process.stdout.write(`── ${name}: ${failed === 0 ? 'good' : 'FAILED'} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`)
}

process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`)
process.exitCode = total.failed === 0 ? 0 : 1
