import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { mendHour } from '../../server/archive/adopt.ts'
import { hourFolder, keepPast, keepSegment, streamFolder } from '../../server/archive/files.ts'
import { newRunKey } from '../../server/archive/segment-index.ts'
import { createStreamsRoom } from '../../server/streams/plugin.ts'
import type { Site } from '../../server/streams/site.ts'
import { startServer } from './harness.ts'
import { add, camera, database, forget, known, newFolder, numbersOf, open, pathOf, record, t0, uid } from './tape.ts'

test('an older database that was put back gets everything again, streams that it did not know too', async () => {
  const dataDir = newFolder()
  const first = await open(dataDir)
  await add(first)
  await record(first, 0, 10)
  const copy = join(newFolder(), 'copy.db')
  first.context.db.prepare('VACUUM INTO ?').run(copy)
  await record(first, 10, 16)
  await record(first, 20, 30, uid, 'yard')
  await add(first, 'yard')
  await record(first, 0, 4, 'yard')
  const before = { known: known(first), numbers: numbersOf(first) }
  await first.app.close()

  for (const end of ['-wal', '-shm']) rmSync(`${database(dataDir)}${end}`, { force: true })
  copyFileSync(copy, database(dataDir))
  const second = await open(dataDir, false)
  expect(known(second)).toEqual(before.known)
  expect(numbersOf(second)).toEqual(before.numbers)
  expect(second.site.index.left().map((each) => each.uid)).toEqual(['yard'])
  const line = second.site.logs.read(uid, undefined).at(-1)?.message
  expect(line).toMatch(/^After a crash: [78] segments without an index row were brought back$/)
  expect(await second.site.index.fragments(uid, t0, t0 + 60_000)).toEqual([
    { from: t0, to: t0 + 16_000 },
    { from: t0 + 20_000, to: t0 + 30_000 },
  ])
})

test('after a loss of power rows come back, and what is whole of a half-written file', async () => {
  const dataDir = newFolder()
  const first = await open(dataDir)
  await add(first)
  await record(first, 0, 6)
  // What the database had synced last: the file, and its journal up to there.
  const synced = newFolder()
  for (const end of ['', '-wal']) copyFileSync(`${database(dataDir)}${end}`, join(synced, `db${end}`))
  const run = await record(first, 6, 18)
  const { composer } = camera('gate')
  const { index } = first.site
  const halves = [0, 1].map((second) => composer.fragment(t0 / 1000 + 18 + second, 1, 12 + second))
  const start = t0 + 18_000
  const file = `${hourFolder(start)}/${start}.m4s`
  const segment = {
    start,
    finish: start + 2000,
    duration: 2,
    mediaStart: 12,
    run: run.id,
    bytes: Buffer.concat(halves).length,
    file,
    offset: 0,
  }
  const kept = await keepSegment(
    { index, dataDir, uid },
    { segment, run, numbers: index.open(uid), expires: false },
    halves,
  )
  const before = { known: known(first), numbers: numbersOf(first) }
  await first.app.close()
  renameSync(pathOf(first, 18), `${pathOf(first, 18)}.part`)
  truncateSync(`${pathOf(first, 18)}.part`, kept.offset + kept.bytes - 10)
  copyFileSync(pathOf(first, 16), `${pathOf(first, 20)}.part`)
  truncateSync(`${pathOf(first, 20)}.part`, kept.offset + 1000)
  writeFileSync(`${pathOf(first, 22)}.part`, Buffer.alloc(50_000))
  // As a disk may do that doesn't hold to what it says: a name without what was written, and with a part of it.
  truncateSync(pathOf(first, 16), 0)
  truncateSync(pathOf(first, 14), kept.offset + 1000)
  const torn = readFileSync(pathOf(first, 14))

  for (const end of ['', '-wal']) copyFileSync(join(synced, `db${end}`), `${database(dataDir)}${end}`)
  rmSync(`${database(dataDir)}-shm`, { force: true })
  const second = await open(dataDir, false)
  expect(numbersOf(second)).toEqual(before.numbers)
  const half = { duration: 1, finish: start + 1000, bytes: halves[0]?.length }
  const expected = before.known.flatMap((each) => {
    const { start: at = 0, ...rest } = Object(each)
    return at === t0 + 14_000 || at === t0 + 16_000 ? [] : [{ start: at, ...rest, ...(at === start ? half : {}) }]
  })
  expect(known(second)).toEqual(expected)
  const names = readdirSync(streamFolder(dataDir, uid), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
  const whole = [0, 2, 4, 6, 8, 10, 12, 18].map((at) => `${t0 + at * 1000}.m4s`)
  const aside = `${hourFolder(t0 + 14_000)}-${t0 + 14_000}.m4s`
  expect(names.toSorted()).toEqual([...whole, aside].toSorted())
  expect(readFileSync(join(streamFolder(dataDir, uid), 'lost+found', aside))).toEqual(torn)
  const line = second.site.logs.read(uid, undefined).at(-1)?.message
  expect(line).toContain(`moved to lost+found: ${hourFolder(t0 + 14_000)}/${t0 + 14_000}.m4s`)
})

test('rows go only where their file is truly not there', async () => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 0, 20)
  const { index } = video.site
  const before = known(video)
  const folder = dirname(pathOf(video, 0))
  renameSync(folder, `${folder}-away`)
  // Neither a folder nor nothing: it can't be read, as on a disk that fails.
  writeFileSync(folder, '')
  const archive = { index, dataDir: video.context.dataDir, uid, isArchived: true }
  await expect(mendHour(archive, hourFolder(t0))).rejects.toThrow('ENOTDIR')
  expect(known(video)).toEqual(before)
  unlinkSync(folder)
  renameSync(`${folder}-away`, folder)
  unlinkSync(pathOf(video, 2))
  expect(await mendHour(archive, hourFolder(t0))).toEqual({ brought: 0, rows: 1, aside: [], failed: [] })
  expect(known(video)).toHaveLength(before.length - 1)
})

test('a file of many segments comes back as many, and what passes stays what passes', async () => {
  const video = await open(newFolder())
  await add(video)
  const { index } = video.site
  const { dataDir } = video.context
  const { init, composer } = camera('yard')
  const { recording } = index.open(uid)
  const run = { key: newRunKey(), init }
  const pieces = [0, 2, 4].map((second) => ({ second, bytes: composer.fragment(t0 / 1000 + second, 2, second) }))
  const segments = pieces.map(({ second, bytes }) => ({
    start: t0 + second * 1000,
    finish: t0 + second * 1000 + 2000,
    duration: 2,
    mediaStart: second,
    bytes: bytes.length,
  }))
  const file = `${hourFolder(t0)}/${t0}.m4s`
  const archive = { index, dataDir, uid, isArchived: true }
  await keepPast(
    archive,
    { file, recording, run, runOf: () => index.addRun(recording, init, run.key).id },
    segments,
    pieces.map(({ bytes }) => bytes),
  )
  const live = await record(video, 20, 22)
  const bytes = camera('gate').composer.fragment(t0 / 1000 + 22, 2, 2)
  const passing = {
    start: t0 + 22_000,
    finish: t0 + 24_000,
    duration: 2,
    mediaStart: 2,
    run: live.id,
    bytes: bytes.length,
    file: `${hourFolder(t0 + 22_000)}/${t0 + 22_000}.m4s`,
    offset: 0,
  }
  await keepSegment(archive, { segment: passing, run: live, numbers: index.open(uid), expires: true }, [bytes])
  const before = known(video)
  forget(video, 0)
  for (const hour of [hourFolder(t0), hourFolder(t0 + 22_000)]) await mendHour(archive, hour)
  expect(known(video)).toEqual(before)
  expect(index.expired(Infinity, 10).map(({ start }) => start)).toEqual([t0 + 22_000])
})

test('what is being written is no orphan, and a second file of a moment is put aside', async () => {
  const video = await open(newFolder())
  await add(video)
  const run = await record(video, 0, 2)
  const { index } = video.site
  const archive = { index, dataDir: video.context.dataDir, uid, isArchived: true }
  const start = t0 + 2000
  const file = `${hourFolder(start)}/${start}.m4s`
  await record(video, 2, 4)
  forget(video, 2)
  index.inFlight.add(`${uid}/${file}`)
  expect(await mendHour(archive, hourFolder(start))).toEqual({ brought: 0, rows: 0, aside: [], failed: [] })
  index.inFlight.delete(`${uid}/${file}`)
  expect(await mendHour(archive, hourFolder(start))).toEqual({ brought: 1, rows: 0, aside: [], failed: [] })
  const segment = { start, finish: start + 2000, duration: 2, mediaStart: 2, run: run.id, bytes: 1, file, offset: 0 }
  await expect(
    keepSegment(archive, { segment, run, numbers: index.open(uid), expires: false }, [Buffer.alloc(1)]),
  ).rejects.toThrow('There is a segment of this moment')
  copyFileSync(pathOf(video, 0), `${pathOf(video, 0)}.part`)
  expect(await mendHour(archive, hourFolder(t0))).toMatchObject({
    brought: 0,
    aside: [`${hourFolder(t0)}/${t0}.m4s.part`],
  })
  expect(known(video)).toHaveLength(2)
})

test('streams run before the past is looked through', async () => {
  const dataDir = newFolder()
  const first = await open(dataDir)
  await add(first)
  await record(first, 0, 20)
  forget(first, 4)
  await first.app.close()
  const asked: boolean[] = []
  const sites: Site[] = []
  const second = await startServer({
    dataDir,
    now: Date.now,
    rooms: [
      createStreamsRoom({
        onSite: (site) => {
          const { hoursOf } = site.index
          site.index.hoursOf = (of) => {
            asked.push(site.supervisor(of) !== undefined)
            return hoursOf(of)
          }
          sites.push(site)
        },
      }),
    ],
  })
  await sites.at(-1)?.mended()
  expect(asked).toEqual([true])
  expect(second.context.db.prepare('SELECT count(*) AS count FROM segments').get()).toMatchObject({ count: 10 })
})
