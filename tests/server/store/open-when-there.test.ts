import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openWhenThere } from '../../../server/store/open-when-there.ts'

test('a database that is away is tried again, after growing pauses; another failure ends it', async () => {
  const lines: string[] = []
  const pauses: number[] = []
  const open = openWhenThere(
    (line) => lines.push(line),
    async (ms) => {
      pauses.push(ms)
      if (pauses.length === 7) throw new Error('enough')
    },
  )
  // Nothing listens there.
  await expect(open('', { databaseUrl: 'postgres://x@127.0.0.1:1/x' })).rejects.toThrow('enough')
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  expect(lines[0]).toBe('The database is away: ECONNREFUSED. Trying again in 1 s.')
  const folder = mkdtempSync(join(tmpdir(), 'sightline-open-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await (await open(join(folder, 'sightline.db'), {})).close()
  await expect(open(folder, {})).rejects.toThrow('EISDIR')
  expect(pauses).toHaveLength(7)
})
