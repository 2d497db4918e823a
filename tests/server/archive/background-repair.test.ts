import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createBackgroundRepair } from '../../../server/archive/repair/background-repair.ts'
import { hoursInIndex, repairHour } from '../../../server/archive/repair/repair-files.ts'
import type { RepairResult } from '../../../server/archive/repair/repair-result.ts'
import { hourFolder, journalFile, spoolFile, streamFolder } from '../../../server/storage/folders.ts'
import { writeChunk } from '../../../server/archive/repair/write-chunk.ts'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import type { Site } from '../../../server/streams/site.ts'
import { isOnFile } from '../fixtures/database.ts'
import { startServer } from '../fixtures/harness.ts'
import {
  add,
  archiveOf,
  camera,
  database,
  forget,
  indexContent,
  newFolder,
  numbersOf,
  open,
  pathOf,
  record,
  t0,
  uid,
} from '../fixtures/tape.ts'

const filesOf = (dataDir: string): string[] =>
  readdirSync(streamFolder(dataDir, uid), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted()

test.runIf(isOnFile)(
  'an older database that was put back gets everything again, streams that it did not know too',
  async () => {
    const dataDir = newFolder()
    const first = await open(dataDir)
    await add(first)
    await record(first, 0, 10, { chunkSeconds: 4 })
    const copy = join(newFolder(), 'copy.db')
    await first.context.store.run('VACUUM INTO ?', copy)
    await record(first, 10, 16, { chunkSeconds: 2 })
    await record(first, 20, 30, { scene: 'yard' })
    await add(first, 'yard')
    await record(first, 0, 4, { of: 'yard' })
    const before = { known: await indexContent(first), numbers: await numbersOf(first) }
    await first.app.close()

    for (const end of ['-wal', '-shm']) rmSync(`${database(dataDir)}${end}`, { force: true })
    copyFileSync(copy, database(dataDir))
    const second = await open(dataDir, false)
    expect(await indexContent(second)).toEqual(before.known)
    expect(await numbersOf(second)).toEqual(before.numbers)
    expect((await second.site.index.orphaned()).map((each) => each.uid)).toEqual(['yard'])
    const line = (await second.site.logs.read(uid, undefined)).at(-1)?.message
    expect(line).toBe('Repair: 8 segments without an index row were restored')
    expect(await second.site.index.recordedRanges(uid, t0, t0 + 60_000)).toEqual([
      { from: t0, to: t0 + 16_000 },
      { from: t0 + 20_000, to: t0 + 30_000 },
    ])
  },
)

/** What was in the making as a crash leaves it: the journal of its first segments, and more in the file. */
const crashed = async (dataDir: string, seconds = 10) => {
  const first = await open(dataDir)
  await add(first)
  await record(first, -20, -12)
  const run = await record(first, 0, seconds, { isSealed: false })
  const folder = streamFolder(dataDir, uid)
  const paths = { spool: join(folder, spoolFile(t0)), journal: join(folder, journalFile(t0)) }
  const { composer } = await camera('gate')
  const media = [0, 2, 4, 6, 8].map((second) => composer.fragment(t0 / 1000 + second, 2, second))
  const headBytes = statSync(paths.spool).size - media.reduce((sum, each) => sum + each.length, 0)
  await first.app.close()
  return { run, paths, media, headBytes }
}

const recordedOf = async (dataDir: string) => {
  const second = await open(dataDir, false)
  const found = await second.site.index.within(uid, t0 - 1, t0 + 60_000, 100)
  const bytes: Buffer[] = []
  for (const segment of found) bytes.push(await second.site.read(uid, segment))
  return { second, found, bytes, line: (await second.site.logs.read(uid, undefined)).at(-1)?.message }
}

test('a chunk that was being written is sealed after a crash, and the counters continue', async () => {
  const dataDir = newFolder()
  const { run, media } = await crashed(dataDir)
  const { second, found, bytes, line } = await recordedOf(dataDir)
  expect(
    found.map(({ start, finish, duration, mediaStart, run: id }) => [start, finish, duration, mediaStart, id]),
  ).toEqual([0, 2, 4, 6, 8].map((at) => [t0 + at * 1000, t0 + at * 1000 + 2000, 2, at, run.id]))
  expect(bytes.map((each, position) => each.equals(media[position] ?? Buffer.alloc(0)))).toEqual(media.map(() => true))
  expect(await numbersOf(second)).toEqual({ nextSequence: 9, nextDiscontinuity: 2, targetDuration: 2 })
  expect(filesOf(dataDir)).toEqual([`${t0 - 20_000}.mp4`, `${t0}.mp4`])
  expect(line).toBe('Repair: 5 segments without an index row were restored')
  expect(await second.site.index.run(uid, run.id)).toEqual(run)
})

type Crashed = Awaited<ReturnType<typeof crashed>>
const cut = (from: { length: number }[], count: number): number =>
  from.slice(0, count).reduce((sum, { length }) => sum + length, 0)

test.each<[string, (of: Crashed) => void, number[]]>([
  ['without its journal', ({ paths }) => unlinkSync(paths.journal), [0, 2, 4, 6, 8]],
  ['with a journal that was not written to its end', ({ paths }) => truncateSync(paths.journal, 250), [0, 2, 4, 6, 8]],
  ['with a journal of nothing', ({ paths }) => writeFileSync(paths.journal, Buffer.alloc(600)), [0, 2, 4, 6, 8]],
  [
    'cut in the middle of its last segment',
    ({ paths, headBytes, media }) => truncateSync(paths.spool, headBytes + cut(media, 5) - 10),
    [0, 2, 4, 6],
  ],
  [
    'with the data of its last segment lost, and its journal not',
    ({ paths, headBytes, media }) => {
      const bytes = readFileSync(paths.spool)
      bytes.fill(0, headBytes + cut(media, 4))
      writeFileSync(paths.spool, bytes)
    },
    [0, 2, 4, 6],
  ],
  [
    'with a part of the next segment',
    ({ paths, media }) => writeFileSync(paths.spool, media[0]?.subarray(0, 1000) ?? '', { flag: 'a' }),
    [0, 2, 4, 6, 8],
  ],
])('a chunk in the making %s loses no more than that', async (_name, happens, expected) => {
  const dataDir = newFolder()
  const left = await crashed(dataDir)
  happens(left)
  const { found, bytes } = await recordedOf(dataDir)
  expect(found.map(({ start, finish }) => [(start - t0) / 1000, (finish - start) / 1000])).toEqual(
    expected.map((at) => [at, 2]),
  )
  expect(bytes.map((each, position) => each.equals(left.media[position] ?? Buffer.alloc(0)))).toEqual(
    expected.map(() => true),
  )
  expect(filesOf(dataDir)).toEqual([`${t0 - 20_000}.mp4`, `${t0}.mp4`])
})

test.each<[string, (of: Crashed) => void, string[]]>([
  ['of which nothing is whole', ({ paths, headBytes }) => truncateSync(paths.spool, headBytes + 100), []],
  ['that is empty', ({ paths }) => truncateSync(paths.spool, 0), []],
  [
    'whose head is lost',
    ({ paths, headBytes }) => {
      const bytes = readFileSync(paths.spool)
      const head = Buffer.alloc(headBytes)
      head.writeUInt32BE(headBytes)
      head.write('free', 4)
      writeFileSync(paths.spool, Buffer.concat([head, bytes.subarray(headBytes)]))
    },
    [`${t0}.spool`],
  ],
])('a chunk in the making %s is no recording; what may be video is put aside', async (_name, happens, aside) => {
  const dataDir = newFolder()
  happens(await crashed(dataDir))
  const { found } = await recordedOf(dataDir)
  expect(found).toEqual([])
  expect(filesOf(dataDir)).toEqual([`${t0 - 20_000}.mp4`, ...aside])
  expect(existsSync(join(streamFolder(dataDir, uid), 'lost+found'))).toBe(aside.length > 0)
})

test.runIf(isOnFile)('a chunk in the making of a stream that the database does not know is sealed, too', async () => {
  const dataDir = newFolder()
  await crashed(dataDir)
  for (const end of ['', '-wal', '-shm']) rmSync(`${database(dataDir)}${end}`, { force: true })
  rmSync(join(streamFolder(dataDir, uid), hourFolder(t0 - 20_000)), { recursive: true })
  const again = await open(dataDir)
  expect(await again.site.index.recordedRanges(uid, t0, t0 + 60_000)).toEqual([{ from: t0, to: t0 + 10_000 }])
  expect((await again.site.index.orphaned()).map((each) => each.uid)).toEqual([uid])
  expect(filesOf(dataDir)).toEqual([`${t0}.mp4`])
})

test('a chunk that was sealed, but not indexed, is found by its journal', async () => {
  const dataDir = newFolder()
  const first = await open(dataDir)
  await add(first)
  await record(first, 0, 10)
  await record(first, 3600, 3610)
  const before = { known: await indexContent(first), numbers: await numbersOf(first) }
  await first.context.store.run('DELETE FROM chunks WHERE start = ?', t0)
  writeFileSync(join(streamFolder(dataDir, uid), journalFile(t0)), '')
  await first.app.close()
  const second = await open(dataDir, false)
  expect(await indexContent(second)).toEqual(before.known)
  expect(await numbersOf(second)).toEqual(before.numbers)
  expect(filesOf(dataDir)).toEqual([`${t0}.mp4`, `${t0 + 3_600_000}.mp4`])
})

test('files of a live-only stream are removed', async () => {
  const dataDir = newFolder()
  const first = await open(dataDir)
  await add(first)
  await record(first, 0, 4)
  await first.app.close()
  writeFileSync(join(streamFolder(dataDir, uid), `${t0 + 8000}.live`), 'video')
  await open(dataDir, false)
  expect(filesOf(dataDir)).toEqual([`${t0}.mp4`])
})

test('a sealed chunk without a row is indexed, a torn one as far as it is whole; others are moved to lost+found', async () => {
  const video = await open(newFolder())
  await add(video)
  const { dataDir } = video.context
  for (const at of [0, 10, 20, 30, 40, 50]) await record(video, at, at + 6)
  const before = await indexContent(video)
  const [, , tornRow] = await video.site.index.within(uid, t0 + 10_000, t0 + 16_000, 10)
  await forget(video, 0)
  // As a disk may do that breaks its promises.
  truncateSync(pathOf(video, 10), (tornRow?.offset ?? 0) + 1000)
  truncateSync(pathOf(video, 20), 0)
  truncateSync(pathOf(video, 30), 100)
  const torn = readFileSync(pathOf(video, 30))
  const damaged = readFileSync(pathOf(video, 50))
  // 31 parameter sets, which lead beyond the end.
  damaged.writeUInt8(0xff, damaged.indexOf('avcC') + 9)
  writeFileSync(pathOf(video, 50), damaged)
  const repaired = await repairHour(archiveOf(video), hourFolder(t0))
  const late = await repairHour(archiveOf(video), hourFolder(t0 + 10_000))
  expect([repaired.restored + late.restored, [...repaired.movedFiles, ...late.movedFiles].length]).toEqual([
    3 + 2 + 3,
    2,
  ])
  const found = await video.site.index.within(uid, t0, t0 + 60_000, 100)
  expect(found.map(({ start }) => (start - t0) / 1000)).toEqual([0, 2, 4, 10, 12, 40, 42, 44])
  const whole = (row: unknown) => [t0, t0 + 40_000].includes(Number(Reflect.get(Object(row), 'start')))
  expect((await indexContent(video)).filter(whole)).toEqual(before.filter(whole))
  const aside = join(streamFolder(dataDir, uid), 'lost+found')
  const asideOf = (at: number) => join(aside, `${hourFolder(t0 + at)}-${t0 + at}.mp4`)
  expect(readdirSync(aside)).toHaveLength(2)
  expect([readFileSync(asideOf(30_000)), readFileSync(asideOf(50_000))]).toEqual([torn, damaged])
  expect(existsSync(pathOf(video, 20))).toBe(false)
})

test('a repair during which the database is away goes on once it is back', async () => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 0, 6)
  await record(video, 20, 26)
  const before = await indexContent(video)
  await forget(video, 0)
  const { index, volumes } = video.site
  const away = async (): Promise<never> => {
    throw new StoreAway('the connection broke')
  }
  for (const call of ['uids', 'countSome', 'recording', 'addChunk'] as const)
    vi.spyOn(index, call).mockImplementationOnce(away)
  const results: RepairResult[] = []
  const repair = createBackgroundRepair({
    index,
    volumes,
    archiveOf: () => archiveOf(video),
    recover: async () => undefined,
    report: (_uid, result) => results.push(result),
    now: video.context.now,
    retryMs: 1,
  })
  await repair.run(new AbortController().signal)
  expect([repair.isDone(), await indexContent(video)]).toEqual([true, before])
  expect(results).toEqual([{ restored: 6, removedRows: 0, movedFiles: [], failed: [] }])
})

test('folders that may not be read keep no other recording from its repair', async () => {
  const video = await open(newFolder())
  await add(video)
  await add(video, 'yard')
  await record(video, 0, 6)
  await forget(video, 0)
  await record(video, 10, 14, { of: 'yard' })
  const { index, volumes } = video.site
  const refused = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'scandir' })
  const storage: typeof volumes.storage = (volume) => {
    const own = volumes.storage(volume)
    return {
      ...own,
      recordings: async () => [...(await own.recordings()), '.Trash-1000'],
      hours: (of) => (of === uid ? own.hours(of) : Promise.reject(refused)),
    }
  }
  const failed: string[] = []
  const repair = createBackgroundRepair({
    index,
    volumes: { ...volumes, storage },
    archiveOf: () => archiveOf(video),
    recover: async () => undefined,
    report: (of, result) => failed.push(...result.failed.map((why) => `${of}: ${why}`)),
    now: video.context.now,
  })
  await repair.run(new AbortController().signal)
  expect([repair.isDone(), (await indexContent(video)).length]).toEqual([true, 2])
  expect(failed).toEqual(['yard: EACCES'])
})

test('rows are removed only if their file is missing', async () => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 0, 8, { chunkSeconds: 2 })
  const before = await indexContent(video)
  const folder = dirname(pathOf(video, 0))
  renameSync(folder, `${folder}-away`)
  // Neither a folder nor nothing: it can't be read, as on a disk that fails.
  writeFileSync(folder, '')
  await expect(repairHour(archiveOf(video), hourFolder(t0))).rejects.toThrow('ENOTDIR')
  expect(await indexContent(video)).toEqual(before)
  unlinkSync(folder)
  renameSync(`${folder}-away`, folder)
  unlinkSync(pathOf(video, 2))
  expect(await repairHour(archiveOf(video), hourFolder(t0))).toEqual({
    restored: 0,
    removedRows: 1,
    movedFiles: [],
    failed: [],
  })
  expect(await indexContent(video)).toHaveLength(before.length - 1)
})

test('a chunk that was not recorded live is indexed unchanged', async () => {
  const video = await open(newFolder())
  await add(video)
  const { index, runId } = video.site
  const { init, composer } = await camera('yard')
  const { recording } = await index.open(uid)
  const parts = [0, 2, 4].map((second) => composer.fragment(t0 / 1000 + second, 2, second))
  const segments = parts.map((bytes, position) => ({
    start: t0 + position * 2000,
    finish: t0 + position * 2000 + 2000,
    duration: 2,
    mediaStart: position * 2,
    bytes: bytes.length,
  }))
  await writeChunk(archiveOf(video), { recording, run: runOf(runId(), newRunKey(), init), segments, contents: parts })
  const before = await indexContent(video)
  await forget(video, 0)
  expect((await repairHour(archiveOf(video), hourFolder(t0))).restored).toBe(3)
  expect(await indexContent(video)).toEqual(before)
})

test('a file that is being written is left alone, and a chunk of a recorded time is moved to lost+found', async () => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 0, 4)
  await record(video, 4, 8)
  const { index } = video.site
  const [hour, file] = [hourFolder(t0), `${hourFolder(t0)}/${t0 + 4000}.mp4`]
  const rest = `${pathOf(video, 4)}.part`
  await forget(video, 4)
  index.inFlight.add(`${uid}/${file}`)
  writeFileSync(rest, '')
  expect(await repairHour(archiveOf(video), hour)).toEqual({ restored: 0, removedRows: 0, movedFiles: [], failed: [] })
  expect(existsSync(rest)).toBe(true)
  index.inFlight.delete(`${uid}/${file}`)
  expect(await repairHour(archiveOf(video), hour)).toEqual({ restored: 2, removedRows: 0, movedFiles: [], failed: [] })
  expect(existsSync(rest)).toBe(false)
  mkdirSync(dirname(pathOf(video, 2)), { recursive: true })
  copyFileSync(pathOf(video, 0), pathOf(video, 2))
  expect(await repairHour(archiveOf(video), hour)).toMatchObject({
    restored: 0,
    movedFiles: [`${hour}/${t0 + 2000}.mp4`],
  })
  expect(await indexContent(video)).toHaveLength(2)
})

test('streams record before older hours are repaired', async () => {
  const dataDir = newFolder()
  const first = await open(dataDir)
  await add(first)
  await record(first, 0, 20, { chunkSeconds: 2 })
  await record(first, 7200, 7202)
  await forget(first, 4)
  await first.app.close()
  const asked: boolean[] = []
  const sites: Site[] = []
  const second = await startServer({
    dataDir,
    now: Date.now,
    plugins: [
      createStreamsPlugin({
        onSite: (site) => {
          const { consistentUntil } = site.index
          site.index.consistentUntil = (of) => {
            asked.push(site.supervisor(of) !== undefined)
            return consistentUntil(of)
          }
          sites.push(site)
        },
      }),
    ],
  })
  await sites.at(-1)?.untilRepaired()
  expect(asked).toEqual([true])
  expect(await second.context.store.get(z.unknown(), 'SELECT count(*) AS count FROM chunks')).toEqual({ count: 11 })
  const hours: string[] = []
  const { index, volumes } = sites[0] ?? Object.create(null)
  for await (const hour of hoursInIndex({ index, volumes, uid })) hours.push(hour)
  expect(hours).toEqual([hourFolder(t0), hourFolder(t0 + 10_000), hourFolder(t0 + 7_200_000)])
})
