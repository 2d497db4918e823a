import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawingOf, type Drawing } from '../src/views/dev/chart/layout.ts'
import { marksOf, type Mark } from '../src/views/dev/chart/picture.ts'
import { folder, index, pages, sealed, staleFiles } from './chart-pages.ts'

/**
 * Draws the machines whose pictures in docs/machines/ are stale: `npm run charts` writes them, `node scripts/charts.ts
 * --check` (tests/charts.test.ts) only names them. Both run in Node as it is: a chart has the text of guards that were
 * written in place.
 */
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

const escaped = (text: string | number) =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const written = ({ tag, attributes, content }: Mark): string => {
  const named = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')
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

async function draw(stale: readonly string[]): Promise<void> {
  const { default: ELK } = await import('elkjs/lib/elk.bundled.js')
  const elk = new ELK()
  const files = new Map([[index.name, index.text]])
  for (const { design, chart } of pages.filter(({ design }) => stale.includes(`${design.id}.svg`))) {
    const drawing = await drawingOf(chart, (graph) => elk.layout(graph))
    files.set(`${design.id}.svg`, sealed(chart, picture(drawing, `The statechart of ${design.id}`)))
  }
  mkdirSync(folder, { recursive: true })
  for (const name of stale) {
    const text = files.get(name)
    if (text === undefined) rmSync(join(folder, name))
    else writeFileSync(join(folder, name), text)
  }
  process.stdout.write(`${pages.length} machines, ${stale.length} files changed\n`)
}

const stale = staleFiles()
if (process.argv.includes('--check')) {
  for (const name of stale) process.stdout.write(`${name}\n`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else await draw(stale)
