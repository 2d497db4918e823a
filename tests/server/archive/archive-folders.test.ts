import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { expect, test } from 'vitest'

const root = join('server', 'archive')

/** Which folders of server/archive each of them may import; archive.ts puts them together. */
const allowed: Record<string, readonly string[]> = {
  format: [],
  index: ['format'],
  recorder: ['format'],
  playback: ['format', 'index', 'recorder'],
  retention: ['format', 'index'],
  repair: ['format', 'index', 'playback'],
  events: [],
}

const folderOf = (file: string): string => file.slice(root.length + 1).split(sep)[0] ?? ''

test('the folders of the archive import each other in one direction', () => {
  const files = globSync(join(root, '*', '*.ts'))
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '(\.\.?\/[^']+)'/g)]
      .map(([, path = '']) => normalize(join(dirname(file), path)))
      .filter((target) => target.startsWith(root + sep))
      .filter((target) => ![folderOf(file), ...(allowed[folderOf(file)] ?? [])].includes(folderOf(target)))
      .map((target) => `${file} imports ${target}`),
  )
  expect(files.map(folderOf)).toEqual(expect.arrayContaining(Object.keys(allowed)))
  expect(found).toEqual([])
})
