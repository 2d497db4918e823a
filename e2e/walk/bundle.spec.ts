import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'

const mark = 'edgeWalked'
const filesWithMark = (dist: string) => {
  const assets = join(import.meta.dirname, '../..', dist, 'assets')
  return readdirSync(assets).filter((name) => name.endsWith('.js') && readFileSync(join(assets, name), 'utf8').includes(mark))
}

test('what tells of edges is in the build for the walk and in no file of the console', () => {
  expect(filesWithMark('dist-walk').length).toBeGreaterThan(0)
  expect(filesWithMark('dist')).toEqual([])
})
