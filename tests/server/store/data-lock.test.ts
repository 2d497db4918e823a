import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../../server/commands/migrate.ts'
import { repair } from '../../../server/commands/repair.ts'
import { lockDataFolder } from '../../../server/store/data-lock.ts'
import { openStore } from '../../../server/store/store.ts'

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a data folder is locked once, until its lock ends', () => {
  const folder = newFolder()
  const release = lockDataFolder(folder)
  expect(statSync(join(folder, 'server.lock'))).toMatchObject({ size: 0, mode: 0o100600 })
  expect(lockDataFolder(folder)).toBeUndefined()
  release?.()
  const again = lockDataFolder(folder)
  release?.()
  expect(lockDataFolder(folder)).toBeUndefined()
  again?.()
})

test('repair and migrate --archive leave the folder of a running server alone', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'archive'))
  await (await openStore(join(folder, 'sightline.db'))).close()
  const release = lockDataFolder(folder)
  const reason = `A server or another command is using ${folder}: stop it first`
  await expect(repair.run(['--data-dir', folder], {})).rejects.toThrow(reason)
  await expect(migrate.run(['--archive', 'folders', '--data-dir', folder], {})).rejects.toThrow(reason)
  release?.()
})
