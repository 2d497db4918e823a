import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import * as z from 'zod/mini'

/** Every check of the project in order; what failed is named again before the last line, which says `N passed, N failed`, and the exit code agrees. */
const root = join(import.meta.dirname, '..')
const results = join(root, 'test-results')
const env = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
}

/** How many passed, and what failed, by name. */
type Count = { passed: number; failed: readonly string[] }
type Step = { name: string; command: string; args: string[]; env?: NodeJS.ProcessEnv; count?: (isGood: boolean) => Count }

const VitestReport = z.object({
  numPassedTests: z.number(),
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })) })),
})
const Spec = z.object({ title: z.string(), file: z.string(), ok: z.boolean() })
const PlaywrightReport = z.object({ stats: z.object({ expected: z.number() }), suites: z.array(z.unknown()) })
const Suite = z.object({ specs: z.optional(z.array(Spec)), suites: z.optional(z.array(z.unknown())) })

const specsOf = (suite: unknown): z.output<typeof Spec>[] => {
  const { specs = [], suites = [] } = z.parse(Suite, suite)
  return [...specs, ...suites.flatMap(specsOf)]
}

/** Counted from the report; a run that failed without a failed test (it broke, or left no report) is one failure by itself. */
const fromReport =
  <Schema extends z.ZodMiniType>(file: string, schema: Schema, read: (report: z.output<Schema>) => Count) =>
  (isGood: boolean): Count => {
    if (!existsSync(file)) return { passed: 0, failed: ['no report'] }
    const count = read(z.parse(schema, JSON.parse(readFileSync(file, 'utf8'))))
    return isGood || count.failed.length > 0 ? count : { ...count, failed: ['the run itself'] }
  }

const vitestFile = join(results, 'vitest.json')
const browserFile = (project: string) => join(results, `playwright-${project}.json`)

/** A project of playwright.config.ts, so many of its files at a time. */
const browser = (project: 'pages' | 'pictures', workers: number): Step => ({
  name: project,
  command: 'playwright',
  args: ['test', `--project=${project}`, `--workers=${workers}`, '--reporter=list,json,./e2e/walk/report.ts'],
  env: { PLAYWRIGHT_JSON_OUTPUT_NAME: browserFile(project) },
  count: fromReport(browserFile(project), PlaywrightReport, ({ stats, suites }) => ({
    passed: stats.expected,
    failed: suites.flatMap(specsOf).filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`),
  })),
})

const steps: Step[] = [
  { name: 'lint and import table', command: 'oxlint', args: ['--deny-warnings'] },
  { name: 'types', command: 'tsc', args: ['--noEmit'] },
  { name: 'unused code', command: 'knip', args: [] },
  { name: 'messages', command: 'node', args: ['scripts/i18n-check.ts'] },
  {
    name: 'vitest',
    command: 'vitest',
    args: ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestFile}`],
    count: fromReport(vitestFile, VitestReport, ({ numPassedTests, testResults }) => ({
      passed: numPassedTests,
      failed: testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)),
    })),
  },
  { name: 'edges of the machines', command: 'node', args: ['--disable-warning=ExperimentalWarning', 'scripts/coverage-machines.ts', '--kept'] },
  browser('pages', 2),
  browser('pictures', 1),
]

mkdirSync(results, { recursive: true })
for (const file of [vitestFile, browserFile('pages'), browserFile('pictures')]) rmSync(file, { force: true })

let passed = 0
const failed: string[] = []
for (const { name, command, args, env: more, count } of steps) {
  const startedAt = performance.now()
  process.stdout.write(`\n── ${name}\n`)
  const isGood = spawnSync(command, args, { cwd: root, env: { ...env, ...more }, stdio: 'inherit' }).status === 0
  const found = count?.(isGood) ?? { passed: isGood ? 1 : 0, failed: isGood ? [] : ['see above'] }
  passed += found.passed
  failed.push(...found.failed.map((each) => `${name}: ${each}`))
  const verdict = found.failed.length === 0 ? 'good' : 'FAILED'
  process.stdout.write(`── ${name}: ${verdict} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`)
}

for (const each of failed) process.stdout.write(`\nfailed: ${each}`)
process.stdout.write(`\n${passed} passed, ${failed.length} failed\n`)
process.exitCode = failed.length === 0 ? 0 : 1
