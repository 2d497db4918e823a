import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { hoursStored, repairHour } from '../../../server/archive/repair/repair-files.ts'
import { Counts } from '../../../server/archive/format/chunk-file.ts'
import { createReading } from '../../../server/archive/playback/reading.ts'
import { createHourTexts } from '../../../server/archive/playback/hour-texts.ts'
import { recordedPlaylist } from '../../../server/archive/playback/recorded-playlist.ts'
import type { ServerPlugin } from '../../../server/context.ts'
import { createRunIds, hasMixedSound } from '../../../server/archive/format/run.ts'
import { createSegmentIndex, type SegmentIndex } from '../../../server/archive/index/segment-index.ts'
import type { ListedSegment } from '../../../server/archive/format/segment.ts'
import { archiveSteps } from '../../../server/archive/repair/tables.ts'
import { createRepacking } from '../../../server/archive/repair/repacking.ts'
import { connectLocal } from '../fixtures/local-connection.ts'
import { openDatabase } from '../../../server/store/sqlite.ts'
import { openStore } from '../../../server/store/store.ts'
import { streamsSteps } from '../../../server/streams/tables.ts'
import { usersSteps } from '../../../server/users/tables.ts'
import { database, newFolder } from '../fixtures/tape.ts'
import { startVideo } from '../fixtures/video.ts'
import { oneVolume } from '../fixtures/one-volume.ts'

/**
 * An archive that an older version recorded, with what it answered: segments of the first version without their facts,
 * many segments in one file, live ones with wavering times, with sound, longer ones, some for live only, and a removed
 * stream.
 */
const Recorded = z.object({
  sql: z.string(),
  files: z.record(z.string(), z.string()),
  range: z.string(),
  playlist: z.string(),
  numbers: z.record(z.string(), Counts),
  segments: z.array(
    z.object({
      uid: z.string(),
      start: z.number(),
      finish: z.number(),
      duration: z.number(),
      mediaStart: z.number(),
      run: z.number(),
      sha256: z.string(),
    }),
  ),
})
const packed = readFileSync(new URL('../../fixtures/archive-of-segments.json.gz', import.meta.url))
const recorded = z.parse(Recorded, JSON.parse(gunzipSync(packed).toString()))

const restore = (): string => {
  const dataDir = newFolder()
  const db = new DatabaseSync(database(dataDir))
  // The table of users comes with the first start.
  db.exec('PRAGMA foreign_keys = OFF')
  db.exec(recorded.sql)
  db.close()
  for (const [file, bytes] of Object.entries(recorded.files)) {
    const path = join(dataDir, 'archive', file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, Buffer.from(bytes, 'base64'))
  }
  return dataDir
}

const filesOf = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'archive'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dataDir, 'archive').length + 1))
    .toSorted()

const isOld = (file: string): boolean => file.endsWith('.m4s')

type Opened = { index: SegmentIndex; db: DatabaseSync; dataDir: string; close: () => void }

/** The index of an archive, without a server. */
const openIndex = async (dataDir: string): Promise<Opened> => {
  const db = openDatabase(database(dataDir))
  const schema = new Map([
    ['users', usersSteps],
    ['streams', streamsSteps],
    ['archive', archiveSteps],
  ])
  const store = await openStore(database(dataDir), () => connectLocal(db), schema)
  const index = createSegmentIndex(store)
  await index.old.refresh()
  return { index, db, dataDir, close: () => db.close() }
}

const answersOf = async ({ index, dataDir }: Opened) => {
  const [from = 0, to = 0] = new URLSearchParams(recorded.range).values().map((date) => Date.parse(date))
  const mark = hasMixedSound(await index.runOfEachKind('door', from, to)) ? '?silent=1' : ''
  const addresses = {
    segment: ({ start }: ListedSegment) => `recorded/${start}.m4s${mark}`,
    init: (run: number) => `init/${run}.mp4${mark}`,
  }
  const targetDuration = (await index.recording('door'))?.targetDuration ?? 0
  const options = { urls: addresses, kind: '', hourTexts: createHourTexts() }
  const pages = index.hoursWithin('door', from, to)
  const pieces = await Array.fromAsync(recordedPlaylist(targetDuration, pages, options))
  const read = createReading(index, oneVolume(dataDir))
  const segments = []
  for (const uid of ['door', 'yard']) {
    for (const each of await index.within(uid, 0, Date.now(), 1000)) {
      const { start, finish, duration, mediaStart, run } = each
      const sha256 = createHash('sha256')
        .update(await read(uid, each))
        .digest('hex')
      segments.push({ uid, start, finish, duration, mediaStart, run, sha256 })
    }
  }
  const numbers: Record<string, Counts> = {}
  for (const uid of ['door', 'yard']) {
    const { nextSequence, nextDiscontinuity, targetDuration } = await index.open(uid)
    numbers[uid] = { nextSequence, nextDiscontinuity, targetDuration }
  }
  return { playlist: Buffer.concat(pieces).toString(), segments, numbers }
}

const { playlist, segments, numbers } = recorded
const expected = { playlist, segments, numbers }

const rowsOf = ({ db }: Opened) =>
  ['segments', 'chunks'].map((table) => Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']))

const never = new AbortController().signal

/** Takes over until it is done, stopped or killed, with an index that is changed. */
const take = async ({ index, dataDir }: Opened, change: Partial<SegmentIndex> = {}, signal = never) => {
  const failures: string[] = []
  const lines: unknown[][] = []
  const note = (...line: unknown[]) => void lines.push(line)
  const onFailure = (_uid: string, file = 'all') => void failures.push(file)
  const log = { info: note, warn: note }
  const repacking = createRepacking({ index: { ...index, ...change }, volumes: oneVolume(dataDir), log, onFailure })
  const ended = await repacking.run(signal).then(
    () => 'done',
    (error: unknown) => String(error),
  )
  return { ended, failures, percent: repacking.donePercent(), lastLine: lines.at(-1) }
}

const repair = async ({ index, dataDir }: Opened): Promise<void> => {
  const runId = createRunIds(0, Date.now)
  for (const uid of await index.uids()) {
    const archive = { index, volumes: oneVolume(dataDir), uid, isArchived: true, runId }
    for (const hour of await hoursStored(archive)) {
      const { removedRows, movedFiles, failed } = await repairHour(archive, hour)
      expect([removedRows, movedFiles, failed]).toEqual([0, [], []])
    }
  }
}

test('what an older version recorded is the same before, meanwhile and after it is taken over', async () => {
  const opened = await openIndex(restore())
  expect(await answersOf(opened)).toEqual(expected)
  const between: unknown[] = []
  const addChunk: SegmentIndex['addChunk'] = async (...args) => {
    const isAdded = await opened.index.addChunk(...args)
    // The rows are gone, the files are still there.
    between.push(await answersOf(opened))
    return isAdded
  }
  const lastLine = ['all recordings of an older version are converted']
  expect(await take(opened, { addChunk })).toEqual({ ended: 'done', failures: [], percent: undefined, lastLine })
  expect(between).toEqual(between.map(() => expected))
  expect(await answersOf(opened)).toEqual(expected)
  expect(rowsOf(opened)).toEqual([0, 7])
  expect(opened.index.old.isAny()).toBe(false)
  expect(filesOf(opened.dataDir).filter(isOld)).toEqual([])
  const sizes = filesOf(opened.dataDir).map((file) => statSync(join(opened.dataDir, 'archive', file)).size)
  const totals = await opened.index.totals()
  const sum = (all: number[]) => all.reduce((one, other) => one + other, 0)
  expect(sum(totals.map(({ bytes }) => bytes))).toBe(sum(sizes))
  opened.close()
})

test('it goes on where it was stopped, and says how far it is', async () => {
  const dataDir = restore()
  const first = await openIndex(dataDir)
  const stopping = new AbortController()
  const addChunk: SegmentIndex['addChunk'] = async (...args) => {
    stopping.abort()
    return first.index.addChunk(...args)
  }
  expect(await take(first, { addChunk }, stopping.signal)).toMatchObject({ ended: 'done', percent: 5 })
  expect([rowsOf(first)[1], await answersOf(first)]).toEqual([1, expected])
  first.close()
  const second = await openIndex(dataDir)
  expect(await answersOf(second)).toEqual(expected)
  expect((await take(second)).ended).toBe('done')
  expect([rowsOf(second), await answersOf(second)]).toEqual([[0, 7], expected])
  second.close()
})

const killed = (): never => {
  throw new Error('killed')
}

test.each<[string, (index: SegmentIndex, after: number) => Partial<SegmentIndex>]>([
  [
    'after a chunk was written',
    ({ addChunk }, after) => {
      let left = after
      return {
        addChunk: async (...args) => {
          left -= 1
          return left < 0 ? killed() : addChunk(...args)
        },
      }
    },
  ],
  [
    'after a chunk was indexed',
    ({ old }, after) => {
      let left = after
      return {
        old: {
          ...old,
          isUsed: async (...args) => {
            left -= 1
            return left < 0 ? killed() : old.isUsed(...args)
          },
        },
      }
    },
  ],
])('it may be killed %s', async (_name, change) => {
  const dataDir = restore()
  for (const after of [0, 1, 2, 30]) {
    const opened = await openIndex(dataDir)
    await take(opened, change(opened.index, after))
    expect(await answersOf(opened)).toEqual(expected)
    opened.close()
    const repaired = await openIndex(dataDir)
    await repair(repaired)
    expect(await answersOf(repaired)).toEqual(expected)
    repaired.close()
  }
  const last = await openIndex(dataDir)
  expect((await take(last)).ended).toBe('done')
  expect([rowsOf(last)[0], await answersOf(last)]).toEqual([0, expected])
  expect(filesOf(dataDir).filter(isOld)).toEqual([])
  last.close()
})

test('what retention removes meanwhile is not kept, and what can not be read ends nothing', async () => {
  const dataDir = restore()
  const opened = await openIndex(dataDir)
  const { index } = opened
  const [newest] = (await index.old.newestBefore(1, Date.now(), 1)).map(({ file }) => file)
  unlinkSync(join(dataDir, 'archive', 'door', newest ?? ''))
  const short = recorded.segments.findLast(({ uid }) => uid === 'yard')?.start ?? 0
  const shortFile = (await index.startingAt('yard', short))?.file ?? ''
  writeFileSync(join(dataDir, 'archive', 'yard', shortFile), 'short')
  let isFirst = true
  const addChunk: SegmentIndex['addChunk'] = async (...args) => {
    const [, recording, , , replaced = []] = args
    if (isFirst) await index.old.remove(recording, replaced[0] ?? 0)
    isFirst = false
    return index.addChunk(...args)
  }
  const { ended, failures } = await take(opened, { addChunk })
  expect([ended, failures]).toEqual(['done', [newest, shortFile]])
  const found = await answersOf(opened)
  expect(rowsOf(opened)[0]).toBe(0)
  expect(found.segments).toHaveLength(expected.segments.length - 3)
  expect(filesOf(dataDir).filter((file) => file.includes('lost+found'))).toEqual([
    `yard/lost+found/${shortFile.replace('/', '-')}`,
  ])
  opened.close()
})

test('a recording that fails ends no other', async () => {
  const dataDir = restore()
  const opened = await openIndex(dataDir)
  const addChunk: SegmentIndex['addChunk'] = async (uid, ...args) =>
    uid === 'door' ? killed() : opened.index.addChunk(uid, ...args)
  const lastLine = ['some recordings of an older version are not converted; the next start tries again']
  expect(await take(opened, { addChunk })).toMatchObject({ ended: 'done', failures: ['all'], lastLine })
  expect((await opened.index.within('yard', 0, Date.now(), 100)).every(({ file }) => file.endsWith('.mp4'))).toBe(true)
  expect(await answersOf(opened)).toEqual(expected)
  opened.close()
})

/** Holds the conversion after its first chunk until it is released. */
const heldAfterFirst = () => {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  const hold: ServerPlugin = (_app, { store }) => {
    const { all } = store
    store.all = async (row, sql, ...values) => {
      const isNext = sql.endsWith('start < ? AND passing = 0 ORDER BY start DESC LIMIT ?')
      if (isNext) asked += 1
      if (isNext && asked === 2) {
        reached.resolve()
        await released.promise
      }
      return all(row, sql, ...values)
    }
  }
  return { hold, reached: reached.promise, release: released.resolve }
}

test('a server takes over what it finds, says so meanwhile, and answers as the older version did', async () => {
  const dataDir = restore()
  const { hold, reached, release } = heldAfterFirst()
  const video = await startVideo({ dataDir, plugins: [hold] })
  onTestFinished(() => release())
  const get = async (url: string) => Object((await video.ask('GET', url, { cookie: video.admin })).body)
  const lines = async () => {
    const { items } = await get('/v1/system/logs')
    return items.flatMap(({ level, message }: Record<string, string>) =>
      message?.includes('older version') ? `${level}: ${message}` : [],
    )
  }
  await reached
  expect((await get('/v1/system/health')).warnings).toContainEqual(
    expect.objectContaining({ code: 'ARCHIVE_TAKEOVER', donePercent: 5 }),
  )
  const beginning = 'warn: recordings of an older version are being converted (segments=110)'
  const tenths = [10, 60, 80, 90].map(
    (percent) => `info: recordings of an older version are being converted (donePercent=${percent})`,
  )
  expect(await lines()).toEqual([beginning])
  release()
  await video.site.untilRepacked()
  expect(await lines()).toEqual([beginning, ...tenths, 'warn: all recordings of an older version are converted'])
  expect(filesOf(dataDir).filter(isOld)).toEqual([])
  const url = `/v1/stream/door/archive/recorded.m3u8?${recorded.range}`
  const { body } = await video.app.inject({ url, headers: { cookie: video.admin, host: 'localhost' } })
  expect(body).toBe(recorded.playlist)
  expect(JSON.stringify(await get('/v1/system/health'))).not.toContain('ARCHIVE_TAKEOVER')
})
