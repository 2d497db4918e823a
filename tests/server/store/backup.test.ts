import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { spawnSync } from 'node:child_process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeBackup } from '../../../server/backup/backup.ts'
import { restoreBackup } from '../../../server/backup/restore.ts'
import { syncFolder } from '../../../server/storage/folders.ts'
import { lockDataFolder } from '../../../server/store/data-lock.ts'
import { requireDatabase } from '../../../server/store/secure-folder.ts'
import { UsageError } from '../../../server/usage-error.ts'
import { version } from '../../../server/version.ts'
import { isOnFile } from '../fixtures/database.ts'
import { add, indexContent, newFolder, numbersOf, open, pathOf, record, uid } from '../fixtures/tape.ts'

vi.mock(import('../../../server/storage/folders.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return { ...original, syncFolder: vi.fn(original.syncFolder) }
})

const steps = { signal: new AbortController().signal, report: () => undefined, onProgress: () => undefined }
const stopped = { ...steps, signal: AbortSignal.abort() }

const recorded = async () => {
  const dataDir = newFolder()
  const video = await open(dataDir)
  await add(video)
  await record(video, 0, 12, { chunkSeconds: 4 })
  return { dataDir, video }
}

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')

test.runIf(isOnFile)(
  'the drill: a backup of a running server, restored on another machine, is the server of that moment',
  async () => {
    const { dataDir, video } = await recorded()
    const share = await video.context.shares.open(uid)
    const before = { known: await indexContent(video), numbers: await numbersOf(video) }
    const backup = join(newFolder(), 'monday')
    const manifest = await makeBackup({ dataDir }, backup, steps)
    expect(manifest).toMatchObject({ version, volumes: [{ id: 0, path: join(dataDir, 'archive'), chunks: 3 }] })
    expect(readdirSync(backup).toSorted()).toEqual([
      'chunks-0.txt',
      'export.key',
      'manifest.json',
      'server.key',
      'sightline.db',
    ])
    expect(readdirSync(backup).map((name) => statSync(join(backup, name)).mode & 0o077)).toEqual([0, 0, 0, 0, 0])
    // What is recorded and changed meanwhile is of another moment.
    await record(video, 3600, 3604)
    await video.context.shares.close(uid)

    const elsewhere = join(newFolder(), 'data')
    const list = linesOf(join(backup, 'chunks-0.txt'))
    expect(list.map((line) => join(dataDir, 'archive', line))).toEqual([0, 4, 8].map((second) => pathOf(video, second)))
    for (const line of list.slice(1)) {
      mkdirSync(dirname(join(elsewhere, 'archive', line)), { recursive: true })
      cpSync(join(dataDir, 'archive', line), join(elsewhere, 'archive', line))
    }
    const found = { id: 0, path: join(elsewhere, 'archive'), list: join(backup, 'chunks-0.txt'), chunks: 3 }
    // The copy of the third was interrupted.
    truncateSync(join(elsewhere, 'archive', list[2] ?? ''), 1000)
    expect(await restoreBackup(backup, { dataDir: elsewhere }, steps)).toEqual([{ ...found, present: 1 }])
    for (const line of list) cpSync(join(dataDir, 'archive', line), join(elsewhere, 'archive', line))

    const again = await open(elsewhere, false)
    onTestFinished(() => again.app.close().then(() => undefined))
    expect({ known: await indexContent(again), numbers: await numbersOf(again) }).toEqual(before)
    expect(await again.context.shares.open(uid)).toBe(share)
  },
)

test.runIf(isOnFile)('a backup and a restore say how far they are, and nothing once they are stopped', async () => {
  const { dataDir } = await recorded()
  const backup = join(newFolder(), 'monday')
  const onProgress = vi.fn()
  await makeBackup({ dataDir }, backup, { ...steps, onProgress })
  await restoreBackup(backup, { dataDir: join(newFolder(), 'data') }, { ...steps, onProgress })
  const expected = [[{ done: 1, of: 1 }], [{ done: 3, of: 3 }]]
  expect(onProgress.mock.calls).toEqual(expected)
  const stopping = new AbortController()
  const report = (line: string): void => {
    if (line === 'Counting the recordings') stopping.abort()
  }
  await restoreBackup(backup, { dataDir: join(newFolder(), 'data') }, { signal: stopping.signal, report, onProgress })
  expect(onProgress.mock.calls).toEqual(expected)
})

test.runIf(isOnFile)('the folder of a backup is synced before it gets its name, its parent after it', async () => {
  const { dataDir, video } = await recorded()
  await video.app.close()
  const folder = newFolder()
  const synced: string[][] = []
  const sync = vi.mocked(syncFolder).mockImplementation(async (path) => {
    synced.push([basename(path), ...readdirSync(path)])
  })
  onTestFinished(() => {
    sync.mockReset()
  })
  const manifest = await makeBackup({ dataDir }, join(folder, 'monday'), steps)
  const names = [...(manifest?.files.map(({ name }) => name) ?? []), 'manifest.json']
  expect(synced).toEqual([
    ['monday.part', ...names.toSorted()],
    [basename(folder), 'monday'],
  ])
})

test.runIf(isOnFile)('without the key of the server nothing is copied', async () => {
  const { dataDir } = await recorded()
  rmSync(join(dataDir, 'server.key'))
  const report = vi.fn()
  await expect(makeBackup({ dataDir }, join(newFolder(), 'monday'), { ...steps, report })).rejects.toThrow(
    new UsageError(`There is no server.key in ${dataDir}`),
  )
  expect(report).not.toHaveBeenCalled()
})

test.runIf(isOnFile)('a damaged backup changes nothing', async () => {
  const { dataDir } = await recorded()
  const backup = join(newFolder(), 'monday')
  await makeBackup({ dataDir }, backup, steps)
  const elsewhere = join(newFolder(), 'data')
  appendFileSync(join(backup, 'server.key'), 'x')
  await expect(restoreBackup(backup, { dataDir: elsewhere }, steps)).rejects.toThrow(
    'The backup is damaged: server.key has changed',
  )
  expect(existsSync(elsewhere)).toBe(false)
})

test.runIf(isOnFile)('neither overwrites anything, and what is stopped leaves nothing', async () => {
  const { dataDir } = await recorded()
  const folder = newFolder()
  const backup = join(folder, 'monday')
  expect(await makeBackup({ dataDir }, backup, stopped)).toBeUndefined()
  expect(readdirSync(folder)).toEqual([])
  await makeBackup({ dataDir }, backup, steps)
  await expect(makeBackup({ dataDir }, backup, steps)).rejects.toThrow(`${backup} already exists`)
  await expect(restoreBackup(backup, { dataDir }, steps)).rejects.toThrow(
    `${dataDir} has a sightline.db already: stop its server and move the folder away, or choose a new one`,
  )
  const elsewhere = join(folder, 'data')
  expect(await restoreBackup(backup, { dataDir: elsewhere }, stopped)).toBeUndefined()
  expect(existsSync(elsewhere)).toBe(false)
})

test.runIf(isOnFile)('the log of a database that was deleted is not taken for that of the restored one', async () => {
  const { dataDir } = await recorded()
  const backup = join(newFolder(), 'monday')
  await makeBackup({ dataDir }, backup, steps)
  const elsewhere = newFolder()
  cpSync(join(dataDir, 'sightline.db-wal'), join(elsewhere, 'sightline.db-wal'))
  await expect(restoreBackup(backup, { dataDir: elsewhere }, steps)).rejects.toThrow(
    `${elsewhere} has a sightline.db-wal already`,
  )
  expect(readdirSync(elsewhere)).toEqual(['sightline.db-wal'])
})

test.runIf(isOnFile)('a folder on which a server runs is not restored into', async () => {
  const { dataDir } = await recorded()
  const backup = join(newFolder(), 'monday')
  await makeBackup({ dataDir }, backup, steps)
  const elsewhere = newFolder()
  const release = lockDataFolder(elsewhere)
  await expect(restoreBackup(backup, { dataDir: elsewhere }, steps)).rejects.toThrow(`is using ${elsewhere}: stop it`)
  expect(readdirSync(elsewhere)).toEqual(['server.lock'])
  release?.()
  expect(await restoreBackup(backup, { dataDir: elsewhere }, steps)).toHaveLength(1)
})

test('a database that is not there, and one that can not be read', () => {
  const folder = newFolder()
  expect(() => requireDatabase(folder)).toThrow(`There is no database in ${folder}`)
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => requireDatabase(file)).toThrow(`${join(file, 'sightline.db')} can't be read`)
})

test.runIf(isOnFile)('the commands say what they did, and what is left to do', async () => {
  const { dataDir, video } = await recorded()
  await video.app.close()
  const folder = newFolder()
  const sightline = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(resolve('bin/sightline'), args, { encoding: 'utf8' })
    return { status, lines: stdout.split('\n').slice(0, -1), stderr }
  }
  const backup = join(folder, 'monday')
  expect(sightline('backup', backup, '--data-dir', dataDir)).toEqual({
    status: 0,
    lines: [
      'Copying the database',
      'Listing the recordings',
      '1 of 1 recordings listed',
      expect.stringMatching(/^The backup is in .*monday: \d MB, and a list of 3 chunks\.$/),
    ],
    stderr: '',
  })
  // Ends before the first line comes, as `tee` does with Ctrl-C.
  const unread = ['-c', '"$@" | true; exit ${PIPESTATUS[0]}', 'bash', resolve('bin/sightline'), 'backup']
  const sunday = join(folder, 'sunday')
  const { status, stderr } = spawnSync('bash', [...unread, sunday, '--data-dir', dataDir], { encoding: 'utf8' })
  expect({ status, stderr, isMade: existsSync(join(sunday, 'manifest.json')) }).toEqual({
    status: 0,
    stderr: '',
    isMade: true,
  })
  const elsewhere = join(folder, 'data')
  expect(sightline('restore', backup, '--data-dir', elsewhere)).toEqual({
    status: 0,
    lines: [
      'Verifying the files of the backup',
      'Restoring the database and the keys',
      'Counting the recordings',
      '3 of 3 chunks checked',
      `The database and the keys were restored to ${elsewhere}.`,
      `0 of 3 chunks are complete in ${elsewhere}/archive. Before you start the server, copy the chunks that ${backup}/chunks-0.txt lists.`,
    ],
    stderr: '',
  })
  expect(sightline('restore', folder, '--data-dir', join(folder, 'other'))).toEqual({
    status: 2,
    lines: ['Verifying the files of the backup'],
    stderr: `There is no backup in ${folder}\n`,
  })
  expect(sightline('backup', '--data-dir', dataDir)).toMatchObject({ status: 2 })
  writeFileSync(join(folder, 'a.toml'), 'DATABASE_URL = "postgres://user:secret@db.example/sightline"')
  expect(
    sightline('backup', join(folder, 'tuesday'), '--config', join(folder, 'a.toml'), '--data-dir', folder),
  ).toEqual({
    status: 2,
    lines: [],
    stderr: `There is no server.key in ${folder}\n`,
  })
})
