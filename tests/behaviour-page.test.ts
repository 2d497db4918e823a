import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routeNames, routes } from '../src/machines/app/routes.ts'

const root = join(import.meta.dirname, '..')
const lines = readFileSync(join(root, 'docs/behaviour.md'), 'utf8').split('\n')
const hasSpans = (line: string, ...texts: readonly string[]) => texts.every((text) => line.includes(`\`${text}\``))

test('every route is in docs/behaviour.md, alone or by its last part in the row of the path before it', () => {
  const missing = routeNames.filter((name) => {
    const path = routes[name].path.replaceAll(/:(\w+)/g, '{$1}')
    const slash = path.lastIndexOf('/')
    return !lines.some(
      (line) => hasSpans(line, path) || hasSpans(line, path.slice(0, slash) || '/', path.slice(slash + 1)),
    )
  })
  expect(routeNames.length).toBeGreaterThan(40)
  expect(missing).toEqual([])
})

test('every folder of views has its section', () => {
  const folders = readdirSync(join(root, 'src/views'))
  const rows = lines.slice(lines.indexOf('| Folders of `src/views` | Section |'))
  expect(folders.filter((folder) => !rows.some((row) => hasSpans(row, folder)))).toEqual([])
})
