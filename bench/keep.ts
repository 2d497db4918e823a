import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { pageWith, type Run } from './figures-page.ts'

const Value = z.nullable(z.number())
const Measured = z.object({
  measuredAt: z.string(),
  command: z.string(),
  pace: z.number(),
  machine: z.optional(z.string()),
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
/** The last figures of each bench, by its name. */
const Kept = z.record(z.string(), Measured)

const root = resolve(import.meta.dirname, '..')
const document = join(root, 'docs/figures.md')
const reading =
  'Each line names its machine. The load is that of the machine; the pace is what a fixed loop took just before (`bench/pace.ts`): twice the milliseconds are half the speed. A figure in bold, or with **no**, misses its goal; in every bench nothing may be lost.'
/**
 * Writes the figures of a bench into the given file, which doesn't exist in a fresh clone, and into docs/figures.md.
 */
export async function keep(file: string, found: Omit<Run, 'measuredAt' | 'machine'>): Promise<void> {
  const before = z.safeParse(Kept, await readFile(file, 'utf8').then(JSON.parse, () => ({})))
  const processors = cpus()
  const machine = `${processors.length} cores of ${processors[0]?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB`
  const run: Run = { ...found, machine, measuredAt: new Date().toISOString() }
  const { name, measuredAt, command, pace, results } = run
  await writeFile(
    file,
    `${JSON.stringify({ ...before.data, [name]: { measuredAt, command, pace, machine, results } }, null, 2)}\n`,
  )
  await writeFile(document, pageWith(await readFile(document, 'utf8'), reading, run))
}
