import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { archiveFolder, chunkFile } from '../../../server/storage/folders.ts'
import { createSegmentIndex } from '../../../server/archive/index/segment-index.ts'
import { repairArchive } from '../../../server/archive/repair/repair.ts'
import { openStore } from '../../../server/store/store.ts'
import { schema } from '../../../server/schema.ts'
import { isOnFile } from '../fixtures/database.ts'
import { startVideo } from '../fixtures/video.ts'
import { add, database, indexContent, newFolder, numbersOf, open, record, t0, uid } from '../fixtures/tape.ts'

/** An archive of some hours, whose last chunk is in the making, and what its index had before it was lost. */
const recorded = async ({ isIndexLost = true } = {}) => {
  const dataDir = newFolder()
  const first = await open(dataDir)
  await add(first)
  for (const hour of [0, 1, 2]) await record(first, hour * 3600, hour * 3600 + 10, { chunkSeconds: 4 })
  await record(first, 0, 6, { of: 'yard', scene: 'yard' })
  const before = { known: await indexContent(first), numbers: await numbersOf(first) }
  await record(first, 4 * 3600, 4 * 3600 + 6, { isSealed: false })
  await first.app.close()
  const lost = isIndexLost ? ['', '-wal', '-shm'] : []
  for (const end of lost) rmSync(`${database(dataDir)}${end}`, { force: true })
  return { dataDir, before }
}

const openBare = (dataDir: string) => openStore(database(dataDir), undefined, schema)

test.runIf(isOnFile)('an index is made again of the chunks alone, also when it is stopped in between', async () => {
  const { dataDir, before } = await recorded()
  const stopping = new AbortController()
  const progress: string[] = []
  for (const signal of [stopping.signal, new AbortController().signal]) {
    const store = await openBare(dataDir)
    const onProgress = ({ uid: of, done, of: all }: { uid: string; done: number; of: number }) => {
      progress.push(`${of} ${done}/${all}`)
      stopping.abort()
    }
    const found = await repairArchive({
      store,
      dataDir,
      archiveDirs: [archiveFolder(dataDir)],
      now: Date.now,
      signal,
      onProgress,
      warn: () => undefined,
    })
    expect([...found.values()].flatMap(({ movedFiles, failed }) => [...movedFiles, ...failed])).toEqual([])
    await store.close()
  }
  expect(progress).toEqual(['door 1/4', 'door 1/4', 'door 2/4', 'door 3/4', 'door 4/4', 'yard 1/1'])
  const again = await open(dataDir)
  expect(await indexContent(again)).toEqual(expect.arrayContaining(before.known))
  expect(await indexContent(again)).toHaveLength(before.known.length + 1)
  const range = (hour: number, seconds: number) => {
    const from = t0 + hour * 3_600_000
    return { from, to: from + seconds * 1000 }
  }
  expect(await again.site.index.recordedRanges(uid, t0, t0 + 20_000_000)).toEqual([
    range(0, 10),
    range(1, 10),
    range(2, 10),
    range(4, 6),
  ])
  expect((await numbersOf(again)).nextSequence).toBe(before.numbers.nextSequence + 3)
})

const repaired = async (dataDir: string) => {
  const store = await openBare(dataDir)
  const found = await repairArchive({
    store,
    dataDir,
    archiveDirs: [archiveFolder(dataDir)],
    now: Date.now,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    warn: () => undefined,
  })
  const recordings = await createSegmentIndex(store).uids()
  await store.close()
  return { found, recordings }
}

test.runIf(isOnFile)('a folder without recordings does not become a recording', async () => {
  const { dataDir } = await recorded()
  const photos = join(archiveFolder(dataDir), 'photos')
  mkdirSync(photos)
  writeFileSync(join(photos, 'cat.jpg'), 'a cat')
  const { found, recordings } = await repaired(dataDir)
  expect([[...found.keys()], recordings].map((names) => names.toSorted())).toEqual([
    ['door', 'yard'],
    ['door', 'yard'],
  ])
})

test.runIf(isOnFile)('rows of hours and recordings whose folders are gone are removed', async () => {
  const { dataDir } = await recorded({ isIndexLost: false })
  const hour = dirname(chunkFile(t0 + 3_600_000))
  for (const folder of [`${uid}/${hour}`, 'yard']) rmSync(join(archiveFolder(dataDir), folder), { recursive: true })
  const { found } = await repaired(dataDir)
  expect([...found].map(([of, { removedRows }]) => `${of} ${removedRows}`).toSorted()).toEqual(['door 3', 'yard 1'])
})

const script = (dataDir: string): string[] => [
  '--disable-warning=ExperimentalWarning',
  'server/main.ts',
  'repair',
  '--data-dir',
  dataDir,
]

test.each([
  ['file', chunkFile(t0 + 6 * 3_600_000), (path: string) => mkdirSync(path, { recursive: true }), 'EISDIR'],
  ['folder', dirname(chunkFile(t0 - 100 * 3_600_000)), (path: string) => writeFileSync(path, ''), 'ENOTDIR'],
])('the command fails if a %s can not be read, names it, and repairs the others', async (_kind, name, spoil, code) => {
  const { dataDir } = await recorded()
  spoil(join(archiveFolder(dataDir), uid, name))
  const { stdout, stderr, status } = spawnSync(process.execPath, script(dataDir), { encoding: 'utf8' })
  expect({ status, last: stdout.trimEnd().split('\n').slice(-3), stderr }).toEqual({
    status: 1,
    last: [
      'door: 18 segments indexed, 0 rows without a file removed, 0 files moved to lost+found, 1 files not read',
      'yard: 3 segments indexed, 0 rows without a file removed, 0 files moved to lost+found, 0 files not read',
      'The index lacks the files that could not be read.',
    ],
    stderr: `Not read: ${uid}/${name} (${code})\n`,
  })
})

test('npm run repair prints what it does', async () => {
  const { dataDir } = await recorded()
  const { stdout, status } = spawnSync(process.execPath, script(dataDir), { encoding: 'utf8' })
  expect([status, stdout.split('\n')]).toEqual([
    0,
    [
      'door: 4 of 4 hours',
      'yard: 1 of 1 hours',
      'door: 18 segments indexed, 0 rows without a file removed, 0 files moved to lost+found, 0 files not read',
      'yard: 3 segments indexed, 0 rows without a file removed, 0 files moved to lost+found, 0 files not read',
      'The index is complete.',
      '',
    ],
  ])
  const { stderr, status: none } = spawnSync(process.execPath, script(newFolder()), { encoding: 'utf8' })
  expect([none, stderr.includes('There is no archive')]).toEqual([2, true])
})

test('the command indexes a volume also where the data folder has no archive, as after a restore', async () => {
  const [dataDir, disk] = [newFolder(), newFolder()]
  const video = await startVideo({ dataDir: newFolder(), archiveDirs: [disk] })
  await video.site.untilRepaired()
  await add(video)
  await record(video, 0, 4)
  await video.app.close()
  const env = { ...process.env, ARCHIVE_DIRS: disk }
  const { status, stdout } = spawnSync(process.execPath, script(dataDir), { encoding: 'utf8', env })
  expect([status, stdout.trimEnd().split('\n').slice(-2)]).toEqual([
    0,
    [
      'door: 2 segments indexed, 0 rows without a file removed, 0 files moved to lost+found, 0 files not read',
      'The index is complete.',
    ],
  ])
  // A mistyped folder gets no database.
  const none = join(dataDir, 'none')
  const refused = spawnSync(process.execPath, script(none), { encoding: 'utf8', env })
  expect(refused).toMatchObject({ status: 2, stderr: `There is no archive in ${none}\n` })
})
