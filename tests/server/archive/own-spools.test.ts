import fastify from 'fastify'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createArchive } from '../../../server/archive/archive.ts'
import { createLiveFeed } from '../../../server/archive/recorder/live-feed.ts'
import { createLiveWindow } from '../../../server/archive/recorder/live-window.ts'
import { createOwnSpools } from '../../../server/archive/recorder/own-spools.ts'
import { createRecorder } from '../../../server/archive/recorder/recorder.ts'
import type { RecorderEvent } from '../../../server/archive/recorder/recorder-events.ts'
import { runOf } from '../../../server/archive/format/run.ts'
import { schema } from '../../../server/schema.ts'
import { chunkFile, liveFile, spoolFile } from '../../../server/storage/folders.ts'
import { openVolumes } from '../../../server/storage/volumes.ts'
import { patience } from '../../fixtures/patience.ts'
import { drawnInit, fragmentAt, t0 } from '../fixtures/engine.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { newFolder } from '../fixtures/tape.ts'

const hourMs = 3_600_000
const init = drawnInit()
const fail = (error: unknown) => {
  throw error
}

/** The archive of a server whose clock was set back by three hours, and a recorder that has begun its first segment. */
const openRecording = async (isArchived: boolean) => {
  const store = await memoryStore(schema)
  const [dataDir, disk] = [newFolder(), newFolder()]
  const volumes = await openVolumes({ store, dataDir, archiveDirs: [disk], warn: () => undefined })
  const clock = { now: t0 + 3 * hourMs }
  const archive = createArchive({
    store,
    volumes,
    now: () => clock.now,
    log: fastify().log,
    writeLog: () => undefined,
    isArchived: () => isArchived,
    onDiskFailure: () => undefined,
  })
  const stopping = new AbortController()
  const prepared = await archive.prepare('door')
  const repairing = archive.repair(stopping.signal)
  onTestFinished(async () => {
    stopping.abort()
    await repairing
    await archive.untilStopped()
    await volumes.stop()
  })
  clock.now = t0
  const failures: unknown[] = []
  const feed = createLiveFeed({
    ...prepared,
    live: createLiveWindow(),
    read: async () => undefined,
    onFailure: (reason) => failures.push(reason),
    onVolumeFailed: (volume) => failures.push(volume),
  })
  const recorder = createRecorder({
    ...prepared,
    isArchived: () => isArchived,
    partSeconds: 0.35,
    now: () => clock.now,
    emit: (event) => {
      prepared.spools.follow(event)
      feed(event)
    },
  })
  const session = recorder.begin({ init, mediaZeroAt: t0, fail })
  const take = (position: number) =>
    session.take(fragmentAt(position / 2, position % 2 === 0), t0 + (position + 1) * 500)
  take(0)
  const folder = join(disk, 'door')
  const file = join(folder, isArchived ? spoolFile(t0) : liveFile(t0))
  await vi.waitUntil(() => existsSync(file), patience)
  /** What happens when a volume is back. */
  const comeBack = async () => {
    for (const listener of volumes.returnListeners) listener()
    await archive.untilRepacked()
  }
  return { archive, session, take, folder, file, comeBack, failures, spools: prepared.spools }
}

test('the spool of a recorder is left to it when a volume comes back after the clock was set back', async () => {
  const { archive, session, take, file, folder, comeBack, failures } = await openRecording(true)
  const left = [`${t0 - hourMs}.spool`, `${t0 + 5 * hourMs}.spool`]
  for (const name of left) writeFileSync(join(folder, name), '')
  await comeBack()
  expect([existsSync(file), ...left.map((name) => existsSync(join(folder, name)))]).toEqual([true, false, false])
  for (let position = 1; position < 6; position += 1) take(position)
  await session.finish()
  await archive.untilIndexed()
  expect(failures).toEqual([])
  const segments = await archive.index.within('door', t0 - hourMs, t0 + hourMs, 9)
  expect(segments.map(({ start, file: of }) => [start - t0, of])).toEqual(
    [0, 1000, 2000].map((start) => [start, chunkFile(t0)]),
  )
})

test('so is a file for live only', async () => {
  const { session, take, folder, file, comeBack, failures, spools } = await openRecording(false)
  writeFileSync(join(folder, `${t0 + 5 * hourMs}.live`), '')
  await comeBack()
  expect(readdirSync(folder)).toEqual([liveFile(t0)])
  for (let position = 1; position < 6; position += 1) take(position)
  await session.finish()
  await comeBack()
  expect([existsSync(file), failures]).toEqual([true, []])
  spools.forget()
  await comeBack()
  expect(readdirSync(folder)).toEqual([])
})

const run = runOf(1, 'a', init)
const segmentOf = (second: number, file: string, isKept = true): RecorderEvent => {
  const start = t0 + second * 1000
  const times = { start, finish: start + 1000, duration: 1, mediaStart: second }
  const segment = { ...times, run: 1, bytes: 1, volume: 0, file, offset: 0 }
  return { kind: 'segment', segment, sequence: 0, discontinuity: 0, targetDuration: 2, arrivedAt: start, isKept }
}
const begunAt = (second: number): RecorderEvent => ({ kind: 'begun', start: t0 + second * 1000, run: 1 })

test('the starts of spools are known for as long as a recorder uses them', () => {
  const own = createOwnSpools()
  const { follow, forget } = own.ofNext('door')
  const known = () =>
    Array.from({ length: 400 }, (_, second) => second).filter((second) => own.has('door', t0 + second * 1000))
  const spool = `${t0}.spool`
  for (const second of [0, 1, 2, 3]) follow(begunAt(second))
  expect([known(), own.has('gate', t0)]).toEqual([[0, 1, 2, 3], false])
  for (const second of [0, 1]) follow(segmentOf(second, spool))
  follow({ kind: 'dropped', start: t0 + 2000 })
  follow(segmentOf(3, ''))
  expect(known()).toEqual([0])
  const chunk = { start: t0, finish: t0 + 2000, bytes: 1, table: new Uint8Array(), volume: 0 }
  follow({ kind: 'sealed', chunk, run })
  expect(known()).toEqual([])

  follow(segmentOf(10, `${t0 + 10_000}.live`, false))
  follow(segmentOf(100, `${t0 + 100_000}.live`, false))
  expect(known()).toEqual([10, 100])
  follow(segmentOf(140, `${t0 + 140_000}.live`, false))
  expect(known()).toEqual([100, 140])
  forget()
  expect(known()).toEqual([])
  follow(begunAt(300))
  expect(known()).toEqual([300])
  own.ofNext('door')
  expect(known()).toEqual([])
})
