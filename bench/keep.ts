import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import type { Result } from './figures.ts'

const Value = z.nullable(z.number())
const Measured = z.object({
  measuredAt: z.string(),
  command: z.string(),
  pace: z.number(),
  results: z.array(
    z.object({
      figure: z.string(),
      unit: z.string(),
      count: z.number(),
      lost: z.number(),
      median: Value,
      p95: Value,
      worst: Value,
      goal: z.string(),
      isMet: z.nullable(z.boolean()),
      load: z.number(),
    }),
  ),
})
/** What each bench found in its last run, by its name. */
const Kept = z.record(z.string(), Measured)

const root = resolve(import.meta.dirname, '..')
const document = join(root, 'docs/figures.md')
const [begins, ends] = ['<!-- made by npm run bench -->', '<!-- up to here -->']

const cell = (value: number) => (Number.isNaN(value) ? '–' : String(value))
const verdict = (isMet: boolean | null) => (isMet === null ? '' : isMet ? 'met' : '**not met**')

function section(
  { name, measuredAt, command, pace }: { name: string; measuredAt: string; command: string; pace: number },
  rows: readonly string[],
): string {
  return `### ${name}

${measuredAt.slice(0, 16).replace('T', ' ')} UTC, \`${command}\`, pace ${pace} ms

| Figure | Unit | Values | Median | p95 | Worst | Goal | | Load |
|---|---|--:|--:|--:|--:|---|---|--:|
${rows.join('\n')}
`
}

const rowOf = ({ figure, unit, count, lost, median, p95, worst, goal, isMet, load }: Result) =>
  `| ${[figure, unit, count - lost, cell(median), cell(p95), cell(worst), goal, verdict(isMet), load].join(' | ')} |`

/** What each bench wrote into the document, by its name. */
const sectionsOf = (text: string): Map<string, string> =>
  new Map(
    text
      .split(/^(?=### )/m)
      .slice(1)
      .map((each) => [each.slice(4).split('\n')[0] ?? '', `${each.trim()}\n`]),
  )

interface Found {
  readonly command: string
  readonly pace: number
  readonly results: readonly Result[]
  /** Whether the bench was asked for some of its figures alone: the others stay in the document as they were. */
  readonly isPart: boolean
}

/** Puts what a bench found, at which pace of the machine, beside what the others did, in the file given, which a clone begins without, and in docs/figures.md. */
export async function keep(file: string, name: string, { command, pace, results, isPart }: Found): Promise<void> {
  const before = z.safeParse(Kept, await readFile(file, 'utf8').then(JSON.parse, () => ({})))
  const found = new Set(results.map(({ figure }) => figure))
  const measuredAt = new Date().toISOString()
  await writeFile(
    file,
    `${JSON.stringify({ ...before.data, [name]: { measuredAt, command, pace, results } }, null, 2)}\n`,
  )
  const text = await readFile(document, 'utf8')
  const [head = '', rest = ''] = text.split(begins)
  const [, tail = ''] = rest.split(ends)
  const processors = cpus()
  const machine = `Machine: ${processors.length} cores of ${processors[0]?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB. The load beside a figure is that of the machine when it was taken; the pace is what a fixed loop took just before (bench/pace.ts): twice the milliseconds are half the speed.`
  const sections = sectionsOf(rest.split(ends)[0] ?? '')
  const isOther = (line: string) => /^\| (?!Figure)/.test(line) && !found.has(line.slice(2).split(' | ')[0] ?? '')
  const kept = isPart ? (sections.get(name) ?? '').split('\n').filter(isOther) : []
  sections.set(name, section({ name, measuredAt, command, pace }, [...kept, ...results.map(rowOf)]))
  const sorted = [...sections].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  await writeFile(document, `${head}${begins}\n${machine}\n\n${sorted.join('\n')}${ends}${tail}`)
}
