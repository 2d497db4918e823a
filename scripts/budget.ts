import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { excessOf } from './budget-limits.ts'

/**
 * Compares the gzip bytes of JS and CSS of each first screen with the table in docs/figures.md and with its limit;
 * fails above 101 % of the former, and above the latter. `node scripts/budget.ts --write` writes a new table.
 */
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const root = join(import.meta.dirname, '..')
const page = join(root, 'docs/figures.md')

const frame = ['index.html', 'src/i18n/locales/en.po?entrance']
const shell = [...frame, 'src/i18n/locales/en.po?shell', 'src/views/shell/Shell.tsx']
const video = [...shell, 'src/i18n/locales/en.po?video']
const screens: Readonly<Record<string, readonly string[]>> = {
  'sign-in': frame,
  streams: [...shell, 'src/wiring/streams/streams.ts'],
  'player, without shaka': [...video, 'src/wiring/player/player.ts'],
  mosaic: [...video, 'src/wiring/mosaics/mosaic.ts'],
}

const Chunk = z.object({
  file: z.string(),
  imports: z.optional(z.array(z.string())),
  css: z.optional(z.array(z.string())),
})
const dist = join(root, 'dist')
const chunks = z.parse(z.record(z.string(), Chunk), JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')))

/** The files of build chunks and of their imports. */
const filesOf = (names: readonly string[]): Set<string> => {
  const seen = new Set<string>()
  const files = new Set<string>()
  const add = (name: string): void => {
    const chunk = chunks[name]
    if (chunk === undefined) throw new Error(`the build has no ${name}`)
    if (seen.has(name)) return
    seen.add(name)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const each of chunk.imports ?? []) add(each)
  }
  for (const name of names) add(name)
  return files
}

/** The bytes that a server sends for a file; small files aren't compressed. */
const sizeOf = (file: string): number =>
  (statSync(join(dist, `${file}.gz`), { throwIfNoEntry: false }) ?? statSync(join(dist, file))).size

/** Shows the sign-in page before the console does; it is part of no chunk. */
const { script } = z.parse(
  z.object({ script: z.string() }),
  JSON.parse(readFileSync(join(dist, '.vite/entrance.json'), 'utf8')),
)
const early = script.replace(/^\/ui\//, '')

const sizes = Object.entries(screens).map(([name, of]) => ({
  name,
  bytes: [...filesOf(of), ...(of === frame ? [early] : [])].reduce((sum, file) => sum + sizeOf(file), 0),
}))

const text = readFileSync(page, 'utf8')
const [begin, end] = ['<!-- written by scripts/budget.ts -->\n', '<!-- end of first screens -->']
const from = text.indexOf(begin) + begin.length
const to = text.indexOf(end, from)
if (from < begin.length || to === -1) throw new Error('docs/figures.md has no table of first screens')

if (values.write) {
  const rows = sizes.map(({ name, bytes }) => `| ${name} | ${bytes} |\n`).join('')
  writeFileSync(page, `${text.slice(0, from)}| First screen | Bytes |\n|---|--:|\n${rows}${text.slice(to)}`)
} else {
  const budget = new Map(
    [...text.slice(from, to).matchAll(/^\| (.+) \| (\d+) \|$/gm)].map(([, name = '', bytes]) => [name, Number(bytes)]),
  )
  for (const size of sizes) {
    const recorded = budget.get(size.name) ?? 0
    const excess = excessOf(size, recorded)
    process.stdout.write(
      `${size.name}: ${size.bytes} bytes, ${excess ?? `within the ${recorded} of docs/figures.md`}\n`,
    )
    if (excess !== null) process.exitCode = 1
  }
  if (process.exitCode === 1)
    process.stdout.write(
      'Move what the screen can do without out of it, or accept growth below the limit: npm run budget -- --write\n',
    )
}
