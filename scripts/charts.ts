import ELK from 'elkjs/lib/elk.bundled.js'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chartOf, type Chart } from '../src/views/dev/chart/chart-model.ts'
import { drawingOf, type Drawing } from '../src/views/dev/chart/layout.ts'
import { marksOf, type Mark } from '../src/views/dev/chart/picture.ts'
import { designs, type Design } from './machines.ts'

/**
 * Draws every machine to docs/machines/: `npm run charts` writes, `node scripts/charts.ts --check` (tests/charts.test.ts)
 * only names the files that would change.
 */
const folder = join(import.meta.dirname, '../docs/machines')
const elk = new ELK()

const styles = `
svg{--panel:#fbfcfd;--raised:#fff;--line:#7d8796;--text:#171b22;--muted:#555e6c;--accent:#1f5fd0}
@media(prefers-color-scheme:dark){svg{--panel:#12151b;--raised:#1a1e26;--line:#6b7484;--text:#e8ebf0;--muted:#a0a9b8;--accent:#5b9dff}}
text{font:11px ui-monospace,'SF Mono','Cascadia Mono','DejaVu Sans Mono',monospace;fill:var(--text)}
[data-part=ground]{fill:var(--panel)}
[data-part=box]{fill:var(--raised);stroke:var(--line)}
[data-part=compound]>[data-part=box],[data-part=parallel]>[data-part=box]{fill:var(--panel)}
[data-region]>[data-part=box]{stroke-dasharray:5 4}
[data-part=inner]{fill:none;stroke:var(--line)}
[data-part=title]{font-size:13px;font-weight:600}
[data-part=tags]{text-anchor:end;fill:var(--accent)}
[data-part=row],[data-part=guard]{fill:var(--muted)}
[data-part=line]{fill:none;stroke:var(--line)}
[data-part=head],[data-part=dot]{fill:var(--line)}
[data-part=back]{fill:var(--panel)}
`

const escaped = (text: string | number) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const written = ({ tag, attributes, content }: Mark): string => {
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
  return `<${tag}${named}>${typeof content === 'string' ? escaped(content) : content.map(written).join('')}</${tag}>`
}

function picture(drawing: Drawing, title: string): string {
  const { width, height } = drawing
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${styles}</style>`,
    `<rect data-part="ground" width="${width}" height="${height}"/>`,
    ...marksOf(drawing).map(written),
    '</svg>\n',
  ].join('\n')
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

const index = (pages: readonly { design: Design; chart: Chart }[]) =>
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
    ...pages.map(({ design: { id }, chart: { states, edges } }) => `| [${id}](#${id.toLowerCase()}) | ${states.length} | ${edges.length} |`),
    `| ${pages.length} machines | ${sum(pages.map(({ chart }) => chart.states.length))} | ${sum(pages.map(({ chart }) => chart.edges.length))} |`,
    '',
    ...pages.flatMap(({ design: { id, file, paragraph } }) => [
      `## ${id}`, '', paragraph, '', `[\`${file}\`](../../${file})`, '', `![The chart of ${id}](${id}.svg)`, '',
    ]),
  ].join('\n')

const pages = designs().map((design) => ({ design, chart: chartOf(design.machine) }))
const files = new Map([['README.md', index(pages)]])
for (const { design, chart } of pages) {
  files.set(`${design.id}.svg`, picture(await drawingOf(chart, (graph) => elk.layout(graph)), `The statechart of ${design.id}`))
}

const present = existsSync(folder) ? readdirSync(folder) : []
const gone = present.filter((name) => !files.has(name))
const changed = [...files].filter(([name, text]) => !present.includes(name) || readFileSync(join(folder, name), 'utf8') !== text).map(([name]) => name)

if (process.argv.includes('--check')) {
  for (const name of [...changed, ...gone]) process.stdout.write(`${name}\n`)
  process.exitCode = changed.length + gone.length === 0 ? 0 : 1
} else {
  mkdirSync(folder, { recursive: true })
  for (const name of gone) rmSync(join(folder, name))
  for (const name of changed) writeFileSync(join(folder, name), files.get(name) ?? '')
  process.stdout.write(`${files.size - 1} machines drawn, ${changed.length + gone.length} files changed\n`)
}
