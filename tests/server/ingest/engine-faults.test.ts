import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFolderStorage } from '../../../server/storage/folder-storage.ts'
import { archiveFolder, chunkFile, journalFile, streamFolder } from '../../../server/storage/folders.ts'
import { readSegment } from '../../../server/archive/playback/reading.ts'
import type { FeedOptions } from '../../../server/archive/recorder/live-feed.ts'
import type { RecorderEvent } from '../../../server/archive/recorder/recorder-events.ts'
import type { RecorderOptions } from '../../../server/archive/recorder/recorder.ts'
import { onFault } from '../../../server/guarded.ts'
import { startIngest } from '../../../server/media/ingest.ts'
import { createLease } from '../../../server/streams/lease.ts'
import { createOutages, noOutageLog } from '../../../server/streams/outages.ts'
import { liveScene, scenes } from '../../../server/demo/scenes.ts'
import { patience } from '../../fixtures/patience.ts'
import { drawnInit, fragmentAt, openRecorder, t0 } from '../fixtures/engine.ts'
import { create } from '../fixtures/recordings.ts'
import { segments, startVideo } from '../fixtures/video.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { StoreError } from '../../../server/store/connection.ts'
import { createBackgroundWrites } from '../../../server/store/background-writes.ts'

const init = drawnInit()
const full = (): never => {
  throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
}

/** The listener of a new segment throws. */
const fullAtBegin = (event: RecorderEvent): void => {
  if (event.kind === 'begun') full()
}

/** The callbacks whose faults were contained. */
const faults = (): string[] => {
  const callbacks: string[] = []
  onTestFinished(onFault(({ callback }) => callbacks.push(callback)))
  return callbacks
}

test('a fault when the timer of the first fragments is due ends the connection', async () => {
  const callbacks = faults()
  const { recorder } = await openRecorder(undefined, { emit: fullAtBegin })
  const failed = Promise.withResolvers<unknown>()
  const taking = recorder.begin({ init, fail: failed.resolve })
  // One that came at once, so that it waits to be compared.
  taking.take(fragmentAt(0, true), t0)
  expect(await failed.promise).toMatchObject({ errcode: 13 })
  expect(callbacks).toEqual(['recorder: start'])
})

test('a fault when the connection ends leaves no write behind', async () => {
  const { recorder } = await openRecorder(undefined, { emit: fullAtBegin })
  const taking = recorder.begin({ init, fail: full })
  taking.take(fragmentAt(0, true), t0)
  await expect(taking.finish()).rejects.toMatchObject({ errcode: 13 })
})

test.each<[name: string, options: Partial<RecorderOptions & FeedOptions>]>([
  ['the folder of the stream', { target: () => ({ volume: 0, folder: '/dev/null/door', marker: undefined }) }],
  ['the question what is recorded', { isRecorded: full }],
  ['the numbers', { onCounts: full, isArchived: () => false }],
  ['a sealed chunk', { onSealed: full }],
])(
  'where %s has no room, and its listener throws as well, live goes on and nothing is uncaught',
  async (_name, options) => {
    const callbacks = faults()
    const { recorder, live } = await openRecorder(undefined, { onFailure: full, onSegment: full, ...options })
    for (let connection = 0; connection < 2; connection += 1) {
      const taking = recorder.begin({ init, fail: full })
      for (let position = 0; position < 6; position += 1)
        taking.take(fragmentAt(position / 2, position % 2 === 0), t0 + (position + 1) * 500)
      await taking.finish()
    }
    expect(live.newest()).toBeDefined()
    expect(new Set(callbacks).size).toBeGreaterThan(0)
  },
)

test.each([
  ['on a full disk', 13],
  ['while another process writes to the database', 5],
])('a chunk that can not be indexed %s is played, and is indexed later', async (_name, errcode) => {
  const disk = { isFull: true }
  const { recorder, index, rows, unindexed, db, dataDir } = await openRecorder((whole) => ({
    addChunk: async (...args) => {
      if (disk.isFull) throw new StoreError('not now', errcode)
      return whole.addChunk(...args)
    },
  }))
  const taking = recorder.begin({ init, mediaZeroAt: t0, fail: full })
  for (let position = 0; position < 6; position += 1)
    taking.take(fragmentAt(position / 2, position % 2 === 0), t0 + (position + 1) * 500)
  await taking.finish()
  await rows.settled()
  const count = () => db.prepare('SELECT count(*) AS count FROM chunks').get()
  expect([unindexed.length, count()]).toMatchObject([1, { count: 0 }])
  const held = await index.within('door', t0, t0 + 3000, 10)
  expect(held.map(({ start }) => start - t0)).toEqual([0, 1000, 2000])
  const folder = streamFolder(dataDir, 'door')
  const storage = createFolderStorage(archiveFolder(dataDir))
  expect(
    (await Promise.all(held.map((segment) => readSegment(storage, 'door', segment)))).map(({ length }) => length),
  ).toEqual([200, 200, 200])
  expect(existsSync(join(folder, journalFile(t0)))).toBe(true)
  disk.isFull = false
  await rows.retry()
  expect(count()).toMatchObject({ count: 1 })
  expect(existsSync(join(folder, journalFile(t0)))).toBe(false)
  expect((await index.within('door', t0, t0 + 3000, 10)).map(({ start }) => start - t0)).toEqual([0, 1000, 2000])
})

test('a chunk whose folder could not be synced is sealed at the next try', async () => {
  const sealed: number[] = []
  const { recorder, dataDir, failures } = await openRecorder(undefined, { onSealed: ({ start }) => sealed.push(start) })
  const file = await open(join(dataDir, 'x'), 'w')
  const sync = vi.spyOn(Object.getPrototypeOf(file), 'sync')
  await file.close()
  onTestFinished(() => void sync.mockRestore())
  const connect = async (second: number) => {
    const taking = recorder.begin({ init, mediaZeroAt: t0 + second * 1000, fail: full })
    for (let position = 0; position < 6; position += 1)
      taking.take(fragmentAt(position / 2, position % 2 === 0), t0 + second * 1000 + (position + 1) * 500)
    return taking
  }
  const first = await connect(0)
  await vi.waitUntil(() => existsSync(join(streamFolder(dataDir, 'door'), journalFile(t0))), patience)
  const target = join(streamFolder(dataDir, 'door'), chunkFile(t0))
  sync.mockImplementation(async () => {
    if (existsSync(target)) throw Object.assign(new Error('i/o error'), { code: 'EIO', syscall: 'fsync' })
  })
  await first.finish()
  expect([sealed, failures.length > 0]).toEqual([[], true])
  sync.mockRestore()
  await (await connect(10)).finish()
  expect(sealed).toEqual([t0, t0 + 10_000])
})

const scene = () => {
  const gate = scenes.get('gate')
  if (gate === undefined) throw new Error('no scene')
  return liveScene(gate, Date.now()).args
}

test.each<[name: string, throws: () => never, reason: string]>([
  ['a full disk', full, 'The disk is full'],
  [
    'a fault',
    () => {
      throw new TypeError('of ours')
    },
    'ProbeError',
  ],
])('%s in what takes the fragments ends that connection', async (_name, throws, reason) => {
  const callbacks = faults()
  for (const [take, finish] of [
    [throws, async () => undefined],
    [() => undefined, async () => throws()],
  ] as const) {
    const ingest = startIngest({
      args: scene(),
      now: Date.now,
      onInit: () => ({ take, finish, ending: () => (take === throws ? undefined : 'noKeyframes') }),
    })
    expect(await ingest.ended).toMatchObject({
      kind: 'failed',
      reason: take === throws ? reason : 'The source sends no keyframes',
    })
  }
  const begun = startIngest({ args: scene(), now: Date.now, onInit: throws })
  expect(await begun.ended).toMatchObject({ kind: 'failed', reason })
  expect(callbacks).toEqual(reason === 'ProbeError' ? ['ingest: output', 'ingest: end', 'ingest: output'] : [])
})

test('an error when the last viewer leaves, or when an outage can not be stored, ends nothing else', async () => {
  const callbacks = faults()
  let calls = 0
  const clock = { now: 0 }
  const lease = createLease(
    () => {
      calls += 1
      throw new Error('of ours')
    },
    () => clock.now,
  )
  lease.extend()
  clock.now = 20_000
  lease.watch()
  await vi.waitUntil(() => calls === 1, patience)
  expect(callbacks).toEqual(['stream: lease'])

  const none = {
    add: full,
    extendEvent: full,
    openStatus: full,
    closeStatus: full,
    within: full,
    deleteEvents: full,
    deleteSome: full,
    addDetected: full,
    snapshot: full,
    streamOf: full,
    end: full,
    remove: full,
  }
  const backgroundWrites = createBackgroundWrites(await memoryStore())
  const options = { annotations: none, backgroundWrites, outageLog: noOutageLog, now: () => 0 }
  const outages = createOutages('door', options)
  outages.fail('EHOSTUNREACH')
  expect(outages.reason()).toBe('EHOSTUNREACH')
  outages.pause(true)
  expect(outages.reason()).toBe('')
})

test('a listener of segments that throws ends neither the stream nor the server', async () => {
  const callbacks = faults()
  const video = await startVideo()
  const uid = await create(video, 'demo:gate')
  await segments(video.site, uid, 1)
  video.site.segmentListeners.push(full)
  await vi.waitUntil(() => callbacks.includes('site: segment'), { timeout: 60_000 })
  video.site.segmentListeners.pop()
  await segments(video.site, uid, 2)
  expect(video.site.supervisor(uid)?.status()).toEqual({ status: 'running', failureReason: '' })
})
