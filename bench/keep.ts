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
      figure: z.string(), unit: z.string(), count: z.number(), lost: z.number(), median: Value, p95: Value, worst: Value,
      goal: z.string(), isMet: z.nullable(z.boolean()), load: z.number(),
    }),
  ),
})
/** What each bench found when it was last run, by its name. */
const Kept = z.record(z.string(), Measured)

const root = resolve(import.meta.dirname, '..')
const document = join(root, 'docs/figures.md')
const [begins, ends] = ['<!-- made by npm run bench -->', '<!-- up to here -->']

const cell = (value: number | null) => (value === null ? '–' : String(value))
const verdict = (isMet: boolean | null) => (isMet === null ? '' : isMet ? 'met' : '**not met**')

function section([name, { measuredAt, command, pace, results }]: [string, z.output<typeof Measured>]): string {
  const rows = results.map(({ figure, unit, count, lost, median, p95, worst, goal, isMet, load }) =>
    `| ${[figure, unit, count - lost, cell(median), cell(p95), cell(worst), goal, verdict(isMet), load].join(' | ')} |`,
  )
  return `### ${name}

${measuredAt.slice(0, 16).replace('T', ' ')} UTC, \`${command}\`, pace ${pace} ms

| Figure | Unit | Values | Median | p95 | Worst | Goal | | Load |
|---|---|--:|--:|--:|--:|---|---|--:|
${rows.join('\n')}
`
}

interface Found {
  readonly command: string
  readonly pace: number
  readonly results: readonly Result[]
  /** Whether the bench was asked for some of its figures alone: the others stay as they were. */
  readonly isPart: boolean
}

/** Puts what a bench found, at which pace of the machine, beside what the others did, in the file given and in docs/figures.md. */
export async function keep(file: string, name: string, { command, pace, results, isPart }: Found): Promise<void> {
  const before = z.safeParse(Kept, await readFile(file, 'utf8').then(JSON.parse, () => ({})))
  const found = new Set(results.map(({ figure }) => figure))
  const others = isPart ? (before.data?.[name]?.results ?? []).filter(({ figure }) => !found.has(figure)) : []
  const measured = { measuredAt: new Date().toISOString(), command, pace, results: [...others, ...results] }
  const written = `${JSON.stringify({ ...before.data, [name]: measured }, null, 2)}\n`
  await writeFile(file, written)
  const text = await readFile(document, 'utf8')
  const [head = '', rest = ''] = text.split(begins)
  const [, tail = ''] = rest.split(ends)
  const processors = cpus()
  const machine = `Machine: ${processors.length} cores of ${processors[0]?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB. The load beside a figure is that of the machine when it was taken; the pace is what a fixed loop took just before (bench/pace.ts): twice the milliseconds are half the speed.`
  const sections = Object.entries(z.parse(Kept, JSON.parse(written))).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(section)
  await writeFile(document, `${head}${begins}\n${machine}\n\n${sections.join('\n')}${ends}${tail}`)
}
