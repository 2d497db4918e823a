import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requestExport, untilMade } from '../fixtures/export-file.ts'
import { add, newFolder, open, record } from '../fixtures/tape.ts'

test('an expired export that cannot be removed keeps no other', async () => {
  const folder = newFolder()
  const first = await open(folder)
  await add(first)
  await record(first, 0, 6)
  const stuck = await requestExport(first, [['door', 0, 4]])
  const other = await requestExport(first, [['door', 0, 4]])
  for (const { id } of [stuck, other]) await untilMade(first, id)
  const expire = (id: string, at: number) =>
    first.context.store.run('UPDATE exports SET expires = ? WHERE id = ?', at, id)
  await expire(stuck.id, 1)
  await expire(other.id, 2)
  await first.app.close()
  const fileOf = (id: string): string => join(folder, 'exports', `${id}.zip`)
  rmSync(fileOf(stuck.id))
  mkdirSync(join(fileOf(stuck.id), 'not a file'), { recursive: true })

  const second = await open(folder, false)
  const status = async (id: string) => (await second.ask('GET', `/v1/export/${id}`, { cookie: second.admin })).status
  expect(await status(other.id)).toBe(404)
  expect(existsSync(fileOf(other.id))).toBe(false)
})
