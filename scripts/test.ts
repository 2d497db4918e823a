import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { ownServer, type OwnServer } from '../e2e/own-server.ts'
import { variableNames } from '../server/configuration/environment.ts'
import { hasFirefox } from './browser.ts'
import { leftOut } from './left-out.ts'

/**
 * The checks of the project: `npm test` runs those for every change, `--all` (`npm run test:all`) all of them;
 * docs/testing.md has a table of both. Failures are listed again before the last line, `N passed, N failed`, and set
 * the exit code.
 */
const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } })
const root = join(import.meta.dirname, '..')
const results = join(root, 'test-results')
/** Those of a site on this machine: the servers that tests start must not use its database and its bucket. */
const ofSite = new Set([...variableNames, 'SIGHTLINE_CONFIG'])
for (const name of Object.keys(process.env)) if (ofSite.has(name)) delete process.env[name]
const env = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
  // Tests start some 150 servers and commands; each takes 0.2 s of processor instead of 0.5 s.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node-compile'),
  // The output of steps is piped through this process.
  ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
}

/** How many passed, and the names of failures. */
type Count = { passed: number; failed: readonly string[] }
/** `seconds`: the usual duration on two idle cores. */
type Step = {
  name: string
  seconds: number
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  /** Uses the demo cameras of a server that such steps share. */
  hasDemo?: boolean
  count?: (isGood: boolean) => Count
}

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

/**
 * Counts from the report. A run that failed without a failed test (it crashed, or wrote no report) counts as one
 * failure.
 */
const fromReport =
  <Schema extends z.ZodMiniType>(file: string, schema: Schema, read: (report: z.output<Schema>) => Count) =>
  (isGood: boolean): Count => {
    if (!existsSync(file)) return { passed: 0, failed: ['no report'] }
    const count = read(z.parse(schema, JSON.parse(readFileSync(file, 'utf8'))))
    return isGood || count.failed.length > 0 ? count : { ...count, failed: ['the run itself'] }
  }

const Findings = z.array(
  z.object({
    attack: z.string(),
    attempt: z.string(),
    result: z.string(),
    verdict: z.enum(['held', 'broken', 'skipped']),
  }),
)

const vitestFile = join(results, 'vitest.json')
const postgresFile = join(results, 'vitest-postgres.json')
const s3File = join(results, 'vitest-s3.json')
const attackFile = join(results, 'attack.json')
const node = (...args: string[]) => ({ command: 'node', args: ['--disable-warning=ExperimentalWarning', ...args] })

/** Ports of a parallel step and of the demo cameras; `E2E_PORT` moves all of them, for two runs on one machine. */
const otherPorts = String(Number(process.env['E2E_PORT'] ?? 8191) + 200)
const demoOffset = 400

/** Runs projects of playwright.config.ts, with a number of files at a time. */
const browser = (name: string, seconds: number, workers: number, projects: readonly string[] = [name]): Step => {
  const file = join(results, `playwright-${name}.json`)
  return {
    name,
    seconds,
    command: 'playwright',
    args: [
      'test',
      ...projects.map((project) => `--project=${project}`),
      `--workers=${workers}`,
      '--reporter=list,json,./e2e/walk/report.ts',
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    hasDemo: true,
    count: fromReport(file, PlaywrightReport, ({ stats, suites }) => ({
      passed: stats.expected,
      failed: suites
        .flatMap(specsOf)
        .filter(({ ok }) => !ok)
        .map(({ file, title }) => `${file}: ${title}`),
    })),
  }
}

const source: Step[] = [
  { name: 'types', seconds: 20, command: 'tsc', args: ['--noEmit'] },
  { name: 'lint and import table', seconds: 5, command: 'oxlint', args: ['--deny-warnings'] },
  { name: 'format', seconds: 5, command: 'oxfmt', args: ['--check'] },
  { name: 'unused code', seconds: 10, command: 'knip', args: [] },
  { name: 'messages', seconds: 10, ...node('scripts/i18n-check.ts') },
  { name: 'bytes of the first screens', seconds: 1, ...node('scripts/budget.ts') },
]

const countOfVitest = (file: string) =>
  fromReport(file, VitestReport, ({ numPassedTests, testResults }) => ({
    passed: numPassedTests,
    failed: testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    ),
  }))

const vitest = (seconds: number, args: readonly string[] = []): Step => ({
  name: 'vitest',
  seconds,
  command: 'vitest',
  args: [
    'run',
    ...args,
    '--reporter=./scripts/vitest-progress.ts',
    '--reporter=json',
    `--outputFile.json=${vitestFile}`,
  ],
  count: countOfVitest(vitestFile),
})

const onPostgres: Step = {
  name: 'the server on PostgreSQL',
  seconds: 600,
  ...node('scripts/postgres-tests.ts', postgresFile),
  count: countOfVitest(postgresFile),
}

const onS3: Step = {
  name: 'the server on S3',
  seconds: 120,
  ...node('scripts/s3-tests.ts', s3File),
  count: countOfVitest(s3File),
}

const packaging: Step = { name: 'package in two clean Debians', seconds: 400, ...node('scripts/package-tests.ts') }

const edges: Step = { name: 'edges of the machines', seconds: 3, ...node('scripts/coverage-machines.ts', '--kept') }

const attacks: Step = {
  name: 'attacks',
  seconds: 1020,
  ...node('scripts/attack.ts', '--report', attackFile),
  count: fromReport(attackFile, Findings, (findings) => ({
    passed: findings.filter(({ verdict }) => verdict === 'held').length,
    failed: findings
      .filter(({ verdict }) => verdict === 'broken')
      .map(({ attack, attempt, result }) => `${attack}, ${attempt}: ${result}`),
  })),
}

const beside = (step: Step): Step => ({ ...step, env: { ...step.env, E2E_PORT: otherPorts } })

/** Without Firefox, `scripts/prepare.mjs` prints what to install. */
const smoke: Step[] = hasFirefox() ? [beside(browser('firefox-smoke', 30, 1))] : []

const pages = ['demo-pages', 'pages']

const short: Step[][] = [
  source,
  [vitest(260, ['--project=!long'])],
  [edges],
  [browser('pages', 185, 3, ['own-servers', ...pages])],
  [browser('pictures', 70, 2), ...smoke],
]

const long: Step[][] = [
  source,
  [vitest(380)],
  [edges],
  [onPostgres],
  [onS3],
  [browser('pages', 940, 2, ['all-own-servers', ...pages, 'long-pages', 'sampled-pages'])],
  // The soak measures memory, not times, and loads the machine little.
  [browser('pictures', 590, 1, ['pictures', 'sampled-pictures', 'long-pictures']), browser('soak', 260, 1)],
  [browser('firefox', 65, 1)],
  [browser('webkit', 100, 1)],
  [{ name: 'walks', seconds: 130, ...node('scripts/walks.ts') }],
  [{ name: 'odd inputs and hostile sources', seconds: 210, ...node('scripts/fuzz.ts') }],
  [{ name: 'kill -9', seconds: 300, ...node('bench/crash.ts') }],
  [packaging],
  [attacks],
]

/** The steps of one row run in parallel; their outputs are printed one after another. */
const rows = values.all ? long : short
const steps = rows.flat()
const minutesOf = (some: readonly Step[][]): number =>
  Math.ceil(some.reduce((sum, row) => sum + Math.max(...row.map(({ seconds }) => seconds)), 0) / 60)

/** The output of a step arrives within this time after its end. */
const drainMs = 2000

type Demo = { server: OwnServer; starting: Promise<void>; startedAt: number }
const startDemo = (old: Demo | undefined): Demo => {
  const server = ownServer(demoOffset)
  const isGone = old?.server.dispose() ?? Promise.resolve()
  return { server, starting: isGone.then(() => server.start()), startedAt: performance.now() }
}
/** An on-demand camera records nothing new, so its last half hour gets shorter. */
const maxDemoMs = 10 * 60_000
let demo: Demo | undefined
/** Steps share the demo cameras for a while, as drawing six hours of four cameras costs as much as a dozen tests. */
const demoAddress = async (): Promise<string> => {
  if (demo === undefined || performance.now() - demo.startedAt > maxDemoMs) demo = startDemo(demo)
  const { server, starting } = demo
  await starting
  return server.address
}

/** Runs a step; returns whether it succeeded. `write` gets its output at once. */
async function run({ command, args, env: more, hasDemo }: Step, write: (chunk: Buffer) => void): Promise<boolean> {
  const shared = hasDemo === true && { E2E_DEMO: await demoAddress() }
  const child = spawn(command, args, {
    cwd: root,
    env: { ...env, ...shared, ...more },
    stdio: ['inherit', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', write)
  const closed = once(child, 'close')
  const [code] = await once(child, 'exit')
  // A process that the step left behind may keep its output open.
  await Promise.race([closed, after(drainMs)])
  for (const stream of [child.stdout, child.stderr]) stream.destroy()
  return code === 0
}

mkdirSync(results, { recursive: true })
const isReport = (name: string): boolean =>
  /^(?:vitest|vitest-postgres|vitest-s3|attack|playwright-.*)\.json$/.test(name)
for (const file of readdirSync(results).filter(isReport)) rmSync(join(results, file))

const beganAt = performance.now()
const minutesSince = (): string => ((performance.now() - beganAt) / 60_000).toFixed(1)
const other = values.all
  ? `npm test runs the checks of every change in ${minutesOf(short)}`
  : `npm run test:all runs everything in ${minutesOf(long)}`
const skipped = leftOut(values.all)
  .map((line) => `${line}\n`)
  .join('')
process.stdout.write(skipped)
process.stdout.write(`${steps.length} steps, usually ${minutesOf(rows)} minutes on two cores; ${other}.\n`)

let passed = 0
const failed: string[] = []

/** Runs and counts a step; prints its output after that of the step before. */
async function check(step: Step, before: Promise<void>): Promise<void> {
  const { name, seconds: usual, count } = step
  const startedAt = performance.now()
  const kept: Buffer[] = []
  const out = { write: (chunk: Buffer) => void kept.push(chunk) }
  const running = run(step, (chunk) => out.write(chunk)).then((isGood) => ({
    isGood,
    seconds: (performance.now() - startedAt) / 1000,
  }))
  await before
  process.stdout.write(
    `\n── ${steps.indexOf(step) + 1} of ${steps.length}: ${name} (usually ${usual} s; ` +
      `${minutesSince()} minutes so far)\n${Buffer.concat(kept).toString()}`,
  )
  out.write = (chunk) => void process.stdout.write(chunk)
  const { isGood, seconds } = await running
  const found = count?.(isGood) ?? { passed: isGood ? 1 : 0, failed: isGood ? [] : ['see above'] }
  passed += found.passed
  failed.push(...found.failed.map((each) => `${name}: ${each}`))
  process.stdout.write(`── ${name}: ${found.failed.length === 0 ? 'good' : 'FAILED'} (${seconds.toFixed(1)} s)\n`)
}

for (const row of rows) await row.reduce((before, step) => check(step, before), Promise.resolve())
await demo?.server.dispose()

for (const each of failed) process.stdout.write(`\nfailed: ${each}`)
process.stdout.write(`\n${minutesSince()} minutes\n${skipped}${passed} passed, ${failed.length} failed\n`)
process.exitCode = failed.length === 0 ? 0 : 1
