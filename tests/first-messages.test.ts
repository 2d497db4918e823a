import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { isOfPage } from '../scripts/catalogues-plugin.ts'

const root = join(import.meta.dirname, '..')
/** Lead to every page, the motion search and the export of a mosaic, each with the messages that it needs. */
const loaders = ['src/wiring/pages.ts', 'src/views/player/use-motion-tool.tsx', 'src/views/mosaics/MosaicExport.tsx']
const withoutPages = [
  'src/main.tsx',
  'src/views/shell/Shell.tsx',
  'src/wiring/shell/extras.ts',
  'src/wiring/session/recovery.ts',
  'src/wiring/session/init.ts',
  'src/wiring/streams/streams.ts',
  'src/wiring/player/player.ts',
  'src/wiring/mosaics/mosaics.ts',
  'src/wiring/mosaics/mosaic.ts',
]

/** The files that one imports, now or later, types aside. */
const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /(?:^import (?!type )|^export |^\} |import\()[^\n;]*?'(\.[^']*)'/gm,
    ),
  ]
    .map(([, name = '']) => relative(root, join(root, dirname(file), name)))
    .filter((name) => /\.tsx?$/.test(name))

const reachedFrom = (files: readonly string[]): Set<string> => {
  const reached = new Set<string>()
  const add = (file: string): void => {
    if (reached.has(file) || loaders.includes(file) || !existsSync(join(root, file))) return
    reached.add(file)
    importsOf(file).forEach(add)
  }
  for (const file of files) add(file)
  return reached
}

/** Whether it has messages of its own. */
const speaks = (file: string): boolean => /@lingui\/(?:react|core)\/macro'/.test(readFileSync(join(root, file), 'utf8'))

test('the shell and the pages with video say nothing that is loaded with other pages', () => {
  const reached = [...reachedFrom(withoutPages)]
  expect(reached).toEqual(
    expect.arrayContaining(['src/views/player/PlayerPage.tsx', 'src/views/streams/StreamsPage.tsx']),
  )
  expect(reached.filter((file) => isOfPage(file) && speaks(file))).toEqual([])
})
