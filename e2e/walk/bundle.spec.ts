import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'

/** Of the edge reporters, of the inspector and of elkjs. */
const marks = ['edgeWalked', 'sightline-inspector', 'org.eclipse.elk']
const marksIn = (dist: string) => {
  const assets = join(import.meta.dirname, '../..', dist, 'assets')
  const code = readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(assets, name), 'utf8'))
  return marks.filter((mark) => code.some((text) => text.includes(mark)))
}

test("developers' tools are in the build for the walk and in no file of the console", () => {
  expect(marksIn('dist-walk')).toEqual(marks)
  expect(marksIn('dist')).toEqual([])
})
