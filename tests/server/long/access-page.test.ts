import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { accessTable, tableFile } from '../../../scripts/access-table.ts'

test('docs/access.md says who may call what (npm run access writes it anew)', async () => {
  expect(await accessTable()).toBe(readFileSync(tableFile, 'utf8'))
})
