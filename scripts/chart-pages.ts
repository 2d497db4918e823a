import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chartOf, type Chart } from '../src/views/dev/chart/chart-model.ts'
import { designs, type Design } from './machines.ts'

const root = join(import.meta.dirname, '..')
export const folder = join(root, 'docs/machines')

/** The code that draws charts, which a drawing depends on besides its chart. */
const drawnBy = [
  'scripts/charts.ts',
  'src/views/dev/chart/layout.ts',
  'src/views/dev/chart/picture.ts',
  'node_modules/elkjs/package.json',
].map((file) => readFileSync(join(root, file), 'utf8'))

/** A drawing with a hash of the chart, of the drawing code and of the drawing itself in the last line. */
export function sealed(chart: Chart, picture: string): string {
  const seal = createHash('sha256')
    .update(JSON.stringify([chart, drawnBy, picture]))
    .digest('hex')
    .slice(0, 16)
  return `${picture}<!-- ${seal} -->\n`
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

const indexOf = (pages: readonly { design: Design; chart: Chart }[]): string =>
  [
    '# Machines',
    '',
    'Every state machine of the console, drawn from its definition by `npm run charts`; a test fails when a picture is stale.',
    'A row in a state says what it does without being left, or where it leads from wherever it stands; a dashed frame is one of',
    'several regions that go on side by side.',
    '',
    'The tests walk every edge of every machine: `npm test` fails where one is left out, and `npm run coverage:machines` names it.',
    '',
    '| Machine | States | Edges |',
    '|---|--:|--:|',
    ...pages.map(
      ({ design: { id }, chart: { states, edges } }) =>
        `| [${id}](#${id.toLowerCase()}) | ${states.length} | ${edges.length} |`,
    ),
    `| ${pages.length} machines | ${sum(pages.map(({ chart }) => chart.states.length))} | ${sum(pages.map(({ chart }) => chart.edges.length))} |`,
    '',
    ...pages.flatMap(({ design: { id, file, paragraph } }) => [
      `## ${id}`,
      '',
      paragraph,
      '',
      `[\`${file}\`](../../${file})`,
      '',
      `![The chart of ${id}](${id}.svg)`,
      '',
    ]),
  ].join('\n')

export const pages = designs().map((design) => ({ design, chart: chartOf(design.machine) }))
export const index = { name: 'README.md', text: indexOf(pages) }

/** The stale files of docs/machines and those without a machine, found by hashes without drawing. */
export function staleFiles(): string[] {
  const isSealed = (text: string, chart: Chart): boolean =>
    text === sealed(chart, text.slice(0, text.lastIndexOf('<!--')))
  const goodFiles = new Map<string, (text: string) => boolean>([
    [index.name, (text) => text === index.text],
    ...pages.map(({ design, chart }) => [`${design.id}.svg`, (text: string) => isSealed(text, chart)] as const),
  ])
  const present = existsSync(folder) ? readdirSync(folder) : []
  const isGood = (name: string): boolean => goodFiles.get(name)?.(readFileSync(join(folder, name), 'utf8')) === true
  return [...new Set([...goodFiles.keys(), ...present])].filter((name) => !present.includes(name) || !isGood(name))
}
