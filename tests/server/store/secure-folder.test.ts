import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readServerKey } from '../../../server/access/shares.ts'
import { hourFolder, streamFolder, writeWhole } from '../../../server/storage/folders.ts'
import { secureFolder } from '../../../server/store/secure-folder.ts'
import { isOnFile } from '../fixtures/database.ts'
import { startServer } from '../fixtures/harness.ts'

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-secure-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
const files = ['sightline.db', 'sightline.db-wal', 'sightline.db-shm', 'server.key']

test.runIf(isOnFile)(
  'a data folder that was there before is closed to others once the server has started',
  async () => {
    const dataDir = newFolder()
    for (const file of files) writeFileSync(join(dataDir, file), '', { mode: 0o644 })
    for (const file of files) chmodSync(join(dataDir, file), 0o644)
    rmSync(join(dataDir, 'server.key'))
    mkdirSync(join(dataDir, 'archive', 'door'), { recursive: true })
    for (const folder of [dataDir, join(dataDir, 'archive')]) chmodSync(folder, 0o755)
    for (const file of files.slice(1, 3)) rmSync(join(dataDir, file))
    await startServer({ dataDir })
    expect([dataDir, join(dataDir, 'archive')].map(modeOf)).toEqual(['700', '700'])
    expect(files.map((file) => [file, modeOf(join(dataDir, file))])).toEqual(files.map((file) => [file, '600']))
  },
)

test('a server key that a crash has cut off is refused', () => {
  const dataDir = newFolder()
  expect(readServerKey(dataDir)).toEqual(readServerKey(dataDir))
  writeFileSync(join(dataDir, 'server.key'), '')
  expect(() => readServerKey(dataDir)).toThrow('server.key is cut off: restore it from a backup')
})

test('recordings are readable by their owner only', async () => {
  const dataDir = newFolder()
  expect(secureFolder(join(dataDir, 'new', 'data'))).toEqual([])
  const made = ['new', 'new/data', 'new/data/archive'].map((path) => join(dataDir, path))
  expect(made.map(modeOf)).toEqual(['700', '700', '700'])
  const folder = streamFolder(join(dataDir, 'new', 'data'), 'door')
  const path = join(folder, hourFolder(0), '0.m4s')
  await writeWhole(path, [Buffer.from('x')])
  expect([folder, join(folder, hourFolder(0)), path].map(modeOf)).toEqual(['700', '700', '600'])
})

test('a new data folder with only a disk for the archive in it is closed to others', () => {
  const dataDir = newFolder()
  for (const name of ['archive', 'archive/lost+found']) mkdirSync(join(dataDir, name))
  chmodSync(dataDir, 0o755)
  expect(secureFolder(dataDir)).toEqual([])
  expect(modeOf(dataDir)).toBe('700')
})

test('a folder with files of other programs keeps its permissions, which is logged', () => {
  const dataDir = newFolder()
  chmodSync(dataDir, 0o755)
  writeFileSync(join(dataDir, 'letter.txt'), '')
  const warning = 'The data folder has files of other programs: its permissions were not changed'
  expect(secureFolder(dataDir)).toEqual([warning])
  expect(modeOf(dataDir)).toBe('755')
  expect(modeOf(join(dataDir, 'archive'))).toBe('700')
  expect(existsSync(join(dataDir, 'letter.txt'))).toBe(true)
})
