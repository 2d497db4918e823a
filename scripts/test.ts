import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import * as z from 'zod/mini'

/** Every check of the project, row by row; what failed is named again before the last line, which says `N passed, N failed`, and the exit code agrees. */
const root = join(import.meta.dirname, '..')
const results = join(root, 'test-results')
const env = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
  // What the steps say goes through here.
  ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
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

const projects = ['pages', 'pictures', 'soak'] as const
type Project = (typeof projects)[number]

const vitestFile = join(results, 'vitest.json')
const browserFile = (project: Project) => join(results, `playwright-${project}.json`)

/** A project of playwright.config.ts, so many of its files at a time. */
const browser = (project: Project, workers: number): Step => ({
  name: project,
  command: 'playwright',
  args: ['test', `--project=${project}`, `--workers=${workers}`, '--reporter=list,json,./e2e/walk/report.ts'],
  env: { PLAYWRIGHT_JSON_OUTPUT_NAME: browserFile(project) },
  count: fromReport(browserFile(project), PlaywrightReport, ({ stats, suites }) => ({
    passed: stats.expected,
    failed: suites.flatMap(specsOf).filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`),
  })),
})

/** Those of one row run side by side, and what they say comes one after the other. */
const rows: Step[][] = [
  [
    { name: 'types', command: 'tsc', args: ['--noEmit'] },
    { name: 'lint and import table', command: 'oxlint', args: ['--deny-warnings'] },
    { name: 'unused code', command: 'knip', args: [] },
    { name: 'messages', command: 'node', args: ['scripts/i18n-check.ts'] },
  ],
  [
    {
      name: 'vitest',
      command: 'vitest',
      args: ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestFile}`],
      count: fromReport(vitestFile, VitestReport, ({ numPassedTests, testResults }) => ({
        passed: numPassedTests,
        failed: testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)),
      })),
    },
  ],
  [{ name: 'edges of the machines', command: 'node', args: ['--disable-warning=ExperimentalWarning', 'scripts/coverage-machines.ts', '--kept'] }],
  [browser('pages', 2)],
  // The soak measures what is held, not when, and leaves the pictures the time they need.
  [browser('pictures', 1), browser('soak', 1)],
]

/** What a step has said is here this long after its end. */
const drainMs = 2000

/** Runs a step and answers whether it was good; what it says goes to `say` as it comes. */
async function run({ command, args, env: more }: Step, say: (chunk: Buffer) => void): Promise<boolean> {
  const child = spawn(command, args, { cwd: root, env: { ...env, ...more }, stdio: ['inherit', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', say)
  const closed = once(child, 'close')
  const [code] = await once(child, 'exit')
  // A process that it left behind may hold its output open.
  await Promise.race([closed, after(drainMs)])
  for (const stream of [child.stdout, child.stderr]) stream.destroy()
  return code === 0
}

mkdirSync(results, { recursive: true })
for (const file of [vitestFile, ...projects.map(browserFile)]) rmSync(file, { force: true })

let passed = 0
const failed: string[] = []

/** Tells a step as it runs where nothing is told before it, and counts it. */
async function check(step: Step, before: Promise<void>): Promise<void> {
  const { name, count } = step
  const startedAt = performance.now()
  const kept: Buffer[] = []
  const out = { write: (chunk: Buffer) => void kept.push(chunk) }
  const running = run(step, (chunk) => out.write(chunk)).then((isGood) => ({ isGood, seconds: (performance.now() - startedAt) / 1000 }))
  await before
  process.stdout.write(`\n── ${name}\n${Buffer.concat(kept).toString()}`)
  out.write = (chunk) => void process.stdout.write(chunk)
  const { isGood, seconds } = await running
  const found = count?.(isGood) ?? { passed: isGood ? 1 : 0, failed: isGood ? [] : ['see above'] }
  passed += found.passed
  failed.push(...found.failed.map((each) => `${name}: ${each}`))
  process.stdout.write(`── ${name}: ${found.failed.length === 0 ? 'good' : 'FAILED'} (${seconds.toFixed(1)} s)\n`)
}

for (const row of rows) await row.reduce((before, step) => check(step, before), Promise.resolve())

for (const each of failed) process.stdout.write(`\nfailed: ${each}`)
process.stdout.write(`\n${passed} passed, ${failed.length} failed\n`)
process.exitCode = failed.length === 0 ? 0 : 1
