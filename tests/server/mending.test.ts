import { copyFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { mendHour } from '../../server/archive/adopt.ts'
import { hourFolder, keepPast, keepSegment, streamFolder, writeWhole } from '../../server/archive/files.ts'
import { newRunKey, type Run, type Segment } from '../../server/archive/segment-index.ts'
import { createComposer, type Composer } from '../../server/demo/composer.ts'
import { scenes } from '../../server/demo/scenes.ts'
import { drawStills } from '../../server/demo/stills.ts'
import type { Init } from '../../server/media/fragments.ts'
import { createStreamsRoom } from '../../server/streams/plugin.ts'
import type { Site } from '../../server/streams/site.ts'
import { startServer } from './harness.ts'
import { startVideo, type VideoHarness } from './video.ts'

const t0 = Date.parse('2026-11-21T07:59:50.000Z')
const uid = 'door'
const row = { tags: [], location: '', marker: '', isArchived: true, depthHours: -1, isOnDemand: false, isPaused: true, owner: null, createdAt: 0 }
const sites: Site[] = []
const drawn = new Map<string, { init: Init; composer: Composer }>()

beforeAll(async () => {
  for (const name of ['gate', 'yard']) {
    const scene = scenes.get(name)
    if (scene === undefined) throw new Error(name)
    const stills = await drawStills(scene, t0 / 1000, new AbortController().signal)
    drawn.set(name, { init: stills.init, composer: createComposer(scene, stills) })
  }
})

const camera = (name: string) => {
  const found = drawn.get(name)
  if (found === undefined) throw new Error(name)
  return found
}

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-mending-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const open = async (dataDir: string, addsAdmin = true): Promise<VideoHarness> => {
  const video = await startVideo({ dataDir, addsAdmin })
  await video.site.mended()
  return video
}

const add = (video: VideoHarness, name = uid) => video.site.add({ ...row, uid: name, name, source: 'rtsp://192.0.2.1/x' })

/** Records as a camera is recorded: a run of segments of two seconds, some seconds after t0. */
const record = async ({ site: { index }, context: { dataDir } }: VideoHarness, from: number, to: number, of = uid, scene = 'gate'): Promise<Run> => {
  const { init, composer } = camera(scene)
  const numbers = index.numbers(of) ?? index.open(of)
  const run = index.addRun(numbers.recording, init)
  numbers.nextDiscontinuity += 1
  for (let second = from; second < to; second += 2) {
    const start = t0 + second * 1000
    const bytes = composer.fragment(start / 1000, 2, second - from)
    const file = `${hourFolder(start)}/${start}.m4s`
    numbers.nextSequence += 1
    const segment: Segment = { start, finish: start + 2000, duration: 2, mediaStart: second - from, run: run.id, bytes: bytes.length, file, place: 0 }
    await keepSegment({ index, dataDir, uid: of }, { segment, run, numbers, isPassing: false }, [bytes])
  }
  return run
}

/** The same as the first version wrote it: the fragments alone. */
const recordAsBefore = async ({ site: { index }, context: { dataDir } }: VideoHarness, from: number, to: number, scene = 'gate'): Promise<Run> => {
  const { init, composer } = camera(scene)
  const { recording } = index.open(uid)
  const run = index.addRun(recording, init)
  for (let second = from; second < to; second += 2) {
    const start = t0 + second * 1000
    const bytes = composer.fragment(start / 1000, 2, second - from)
    const file = `${hourFolder(start)}/${start}.m4s`
    await writeWhole(join(streamFolder(dataDir, uid), file), [bytes])
    index.addPast(recording, [{ start, finish: start + 2000, duration: 2, mediaStart: second - from, run: run.id, bytes: bytes.length, file, place: 0 }])
  }
  return run
}

/** All that the index knows but for the runs' ids, which are its own. */
const known = ({ context: { db } }: VideoHarness): unknown[] =>
  db.prepare(`SELECT uid, start, finish, duration, media_start, passing, segments.bytes, file, place, key, init FROM segments
    JOIN recordings ON recordings.id = segments.recording JOIN runs ON runs.id = run ORDER BY uid, start`).all().map((each) => ({ ...each, init: Buffer.from(String(each['init'])) }))

const numbersOf = ({ site: { index } }: VideoHarness) => {
  const { nextSequence, nextDiscontinuity, targetDuration } = index.open(uid)
  return { nextSequence, nextDiscontinuity, targetDuration }
}

const pathOf = ({ context: { dataDir } }: VideoHarness, second: number): string => {
  const start = t0 + second * 1000
  return join(streamFolder(dataDir, uid), hourFolder(start), `${start}.m4s`)
}

const forget = ({ context: { db } }: VideoHarness, from: number): void => {
  db.prepare('DELETE FROM segments WHERE start >= ?').run(t0 + from * 1000)
}

const database = (dataDir: string): string => join(dataDir, 'sightline.db')

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
  expect(second.site.logs.read(uid, undefined).at(-1)?.message).toMatch(/^After a crash: [78] segments without an index row were brought back$/)
  expect(await second.site.index.fragments(uid, t0, t0 + 60_000)).toEqual([{ from: t0, to: t0 + 16_000 }, { from: t0 + 20_000, to: t0 + 30_000 }])
})

test('after a loss of power rows come back, and what is whole of a half-written file; nothing whole is deleted', async () => {
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
  const segment = { start, finish: start + 2000, duration: 2, mediaStart: 12, run: run.id, bytes: Buffer.concat(halves).length, file, place: 0 }
  const kept = await keepSegment({ index, dataDir, uid }, { segment, run, numbers: index.open(uid), isPassing: false }, halves)
  const before = { known: known(first), numbers: numbersOf(first) }
  await first.app.close()
  renameSync(pathOf(first, 18), `${pathOf(first, 18)}.part`)
  truncateSync(`${pathOf(first, 18)}.part`, kept.place + kept.bytes - 10)
  copyFileSync(pathOf(first, 16), `${pathOf(first, 20)}.part`)
  truncateSync(`${pathOf(first, 20)}.part`, kept.place + 1000)
  writeFileSync(`${pathOf(first, 22)}.part`, Buffer.alloc(50_000))
  // As a disk may do that doesn't hold to what it says: a name without what was written, and with a part of it.
  truncateSync(pathOf(first, 16), 0)
  truncateSync(pathOf(first, 14), kept.place + 1000)
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
  const names = readdirSync(streamFolder(dataDir, uid), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name)
  const whole = [0, 2, 4, 6, 8, 10, 12, 18].map((at) => `${t0 + at * 1000}.m4s`)
  const aside = `${hourFolder(t0 + 14_000)}-${t0 + 14_000}.m4s`
  expect(names.toSorted()).toEqual([...whole, aside].toSorted())
  expect(readFileSync(join(streamFolder(dataDir, uid), 'lost+found', aside))).toEqual(torn)
  expect(second.site.logs.read(uid, undefined).at(-1)?.message).toContain(`moved to lost+found: ${hourFolder(t0 + 14_000)}/${t0 + 14_000}.m4s`)
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
  const place = { index, dataDir: video.context.dataDir, uid, isArchived: true }
  await expect(mendHour(place, hourFolder(t0))).rejects.toThrow('ENOTDIR')
  expect(known(video)).toEqual(before)
  unlinkSync(folder)
  renameSync(`${folder}-away`, folder)
  unlinkSync(pathOf(video, 2))
  expect(await mendHour(place, hourFolder(t0))).toEqual({ brought: 0, rows: 1, aside: [], failed: [] })
  expect(known(video)).toHaveLength(before.length - 1)
})

test('files of the first version, which say nothing of themselves, come back to the run that goes on in them', async () => {
  const video = await open(newFolder())
  await add(video)
  const [gate, yard] = [await recordAsBefore(video, 0, 20), await recordAsBefore(video, 30, 40, 'yard')]
  const before = known(video)
  const runs = () => video.site.index.within(uid, t0, t0 + 60_000, 100).map(({ run }) => run)
  for (const second of [4, 6, 12, 18, 34]) {
    video.context.db.prepare('DELETE FROM segments WHERE start = ?').run(t0 + second * 1000)
  }
  const place = { index: video.site.index, dataDir: video.context.dataDir, uid, isArchived: true }
  const hours = [hourFolder(t0 + 30_000), hourFolder(t0)]
  const brought = []
  for (const hour of hours) brought.push((await mendHour(place, hour)).brought)
  expect(brought).toEqual([3, 2])
  expect(known(video)).toEqual(before)
  expect(runs()).toEqual([...Array.from({ length: 10 }, () => gate.id), ...Array.from({ length: 5 }, () => yard.id)])
})

test('where their run is lost as well they make a new one of the nearest init that fits, and what fits none is put aside', async () => {
  const video = await open(newFolder())
  await add(video)
  const gate = await recordAsBefore(video, 0, 8)
  await recordAsBefore(video, 12, 16)
  await recordAsBefore(video, 20, 24, 'yard')
  const { index } = video.site
  forget(video, 12)
  video.context.db.prepare('DELETE FROM runs WHERE id > ?').run(gate.id)
  const mended = await mendHour({ index, dataDir: video.context.dataDir, uid, isArchived: true }, hourFolder(t0 + 12_000))
  expect(mended).toMatchObject({ brought: 2, rows: 0, failed: [] })
  expect(mended.aside).toEqual([20, 22].map((second) => `${hourFolder(t0 + 12_000)}/${t0 + second * 1000}.m4s`))
  const found = index.within(uid, t0, t0 + 60_000, 100)
  const [, , , , , , again] = found
  expect(found.map(({ start }) => (start - t0) / 1000)).toEqual([0, 2, 4, 6, 12, 14])
  expect(again?.run).not.toBe(gate.id)
  expect(found.slice(4).map(({ run }) => run)).toEqual([found[4]?.run, found[4]?.run])
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
  const segments = pieces.map(({ second, bytes }) => ({ start: t0 + second * 1000, finish: t0 + second * 1000 + 2000, duration: 2, mediaStart: second, bytes: bytes.length }))
  const file = `${hourFolder(t0)}/${t0}.m4s`
  const place = { index, dataDir, uid, isArchived: true }
  await keepPast(place, { file, recording, run, runOf: () => index.addRun(recording, init, run.key).id }, segments, pieces.map(({ bytes }) => bytes))
  const live = await record(video, 20, 22)
  const bytes = camera('gate').composer.fragment(t0 / 1000 + 22, 2, 2)
  const passing = { start: t0 + 22_000, finish: t0 + 24_000, duration: 2, mediaStart: 2, run: live.id, bytes: bytes.length, file: `${hourFolder(t0 + 22_000)}/${t0 + 22_000}.m4s`, place: 0 }
  await keepSegment(place, { segment: passing, run: live, numbers: index.open(uid), isPassing: true }, [bytes])
  const before = known(video)
  forget(video, 0)
  for (const hour of [hourFolder(t0), hourFolder(t0 + 22_000)]) await mendHour(place, hour)
  expect(known(video)).toEqual(before)
  expect(index.passed(Infinity, 10).map(({ start }) => start)).toEqual([t0 + 22_000])
})

test('what is being written is no orphan, and a second file of a moment is put aside', async () => {
  const video = await open(newFolder())
  await add(video)
  const run = await record(video, 0, 2)
  const { index } = video.site
  const place = { index, dataDir: video.context.dataDir, uid, isArchived: true }
  const start = t0 + 2000
  const file = `${hourFolder(start)}/${start}.m4s`
  await record(video, 2, 4)
  forget(video, 2)
  index.inFlight.add(`${uid}/${file}`)
  expect(await mendHour(place, hourFolder(start))).toEqual({ brought: 0, rows: 0, aside: [], failed: [] })
  index.inFlight.delete(`${uid}/${file}`)
  expect(await mendHour(place, hourFolder(start))).toEqual({ brought: 1, rows: 0, aside: [], failed: [] })
  const segment = { start, finish: start + 2000, duration: 2, mediaStart: 2, run: run.id, bytes: 1, file, place: 0 }
  await expect(keepSegment(place, { segment, run, numbers: index.open(uid), isPassing: false }, [Buffer.alloc(1)])).rejects.toThrow('There is a segment of this moment')
  copyFileSync(pathOf(video, 0), `${pathOf(video, 0)}.part`)
  expect(await mendHour(place, hourFolder(t0))).toMatchObject({ brought: 0, aside: [`${hourFolder(t0)}/${t0}.m4s.part`] })
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
  const second = await startServer({
    dataDir,
    now: Date.now,
    rooms: [createStreamsRoom({
      onSite: (site) => {
        const { hoursOf } = site.index
        site.index.hoursOf = (of) => {
          asked.push(site.supervisor(of) !== undefined)
          return hoursOf(of)
        }
        sites.push(site)
      },
    })],
  })
  await sites.at(-1)?.mended()
  expect(asked).toEqual([true])
  expect(second.context.db.prepare('SELECT count(*) AS count FROM segments').get()).toMatchObject({ count: 10 })
})
