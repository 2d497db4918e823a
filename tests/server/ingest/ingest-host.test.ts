import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readSegment, type SegmentLocation } from '../../../server/archive/playback/reading.ts'
import { createFolderStorage } from '../../../server/storage/folder-storage.ts'
import { createOwnSpools } from '../../../server/archive/recorder/own-spools.ts'
import { createLiveWindow } from '../../../server/archive/recorder/live-window.ts'
import type { PreparedRecording } from '../../../server/archive/archive.ts'
import type { Segment } from '../../../server/archive/format/segment.ts'
import type { Chunk } from '../../../server/archive/format/spool.ts'
import { onFault } from '../../../server/guarded.ts'
import { ingestWorkers } from '../../../server/ingest/forked.ts'
import { connectHost } from '../../../server/ingest/here.ts'
import { createIngestPool, type Connect, type HostListener, type PoolOptions } from '../../../server/ingest/pool.ts'
import type { AttemptRequest, Command, Opening } from '../../../server/ingest/protocol.ts'
import { createRecording } from '../../../server/ingest/recording.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { patience } from '../../fixtures/patience.ts'
import { serve, shortClip } from '../fixtures/video.ts'

/** By the folder of a stream. */
const readFrom = (folder: string, location: SegmentLocation): Promise<Buffer> =>
  readSegment(createFolderStorage(dirname(folder)), basename(folder), location)

const demo: AttemptRequest = {
  uid: 'door',
  source: 'demo:gate',
  hasFailed: false,
  hadSound: false,
  allowLoopback: false,
}

type Reported = {
  segments: { segment: Segment; isKept: boolean }[]
  chunks: Chunk[]
  failures: string[]
  words: string[]
  counts: number[]
}

/** A stream `door` on a host, with its reports. */
const open = async (
  options: PoolOptions,
  change: Partial<PreparedRecording> = {},
  prepare?: () => Promise<PreparedRecording>,
) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-host-'))
  const live = createLiveWindow()
  const reported: Reported = { segments: [], chunks: [], failures: [], words: [], counts: [] }
  const kept = { isArchived: true }
  const prepared: PreparedRecording = {
    target: () => ({ volume: 1, folder: join(dataDir, 'door') }),
    onVolumeFailed: () => undefined,
    start: { recording: 1, counts: { nextSequence: 7, nextDiscontinuity: 3, targetDuration: 1 }, recordedUntil: 0 },
    lastInit: undefined,
    spools: createOwnSpools().ofNext('door'),
    isRecorded: async () => false,
    onSegment: () => undefined,
    onSealed: (chunk) => reported.chunks.push(chunk),
    onCounts: ({ nextSequence }) => reported.counts.push(nextSequence),
    ...change,
  }
  const recording = createRecording({
    uid: 'door',
    pool: createIngestPool(options),
    live,
    prepared,
    prepare: prepare ?? (async () => prepared),
    isArchived: () => kept.isArchived,
    onConnected: (words) => reported.words.push(words),
    onSound: () => undefined,
    onKeyframe: () => undefined,
    onSegment: (segment, _run, isKept) => reported.segments.push({ segment, isKept }),
    onFailure: (reason) => reported.failures.push(reason),
    onCut: () => undefined,
    onClockSetBack: () => undefined,
  })
  onTestFinished(async () => {
    await recording.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const listed = async (count: number) => {
    while (live.listed().segments.length < count) await live.waitForSegment(AbortSignal.timeout(60_000))
    return live.listed().segments
  }
  return { recording, live, reported, kept, listed, folder: prepared.target().folder }
}

const never = (): void => {
  throw new Error('not a network source')
}

test('the spools of a recorder are known from what it reports until it has ended', async () => {
  const spools = createOwnSpools().ofNext('door')
  const begun = Promise.withResolvers<void>()
  const connect: Connect = ({ onEvent }) => {
    const send = ({ kind, stream }: Command): void => {
      if (kind === 'attempt') onEvent({ kind: 'recorder', stream, event: { kind: 'begun', start: 5000, run: 1 } })
      if (kind === 'attempt') begun.resolve()
      if (kind === 'close') onEvent({ kind: 'closed', stream })
    }
    return { send, close: () => undefined }
  }
  const { recording } = await open({ connect }, { spools })
  void recording.attempt(demo, never)
  await begun.promise
  expect([spools.has(5000), spools.has(6000)]).toEqual([true, false])
  await recording.close()
  expect(spools.has(5000)).toBe(false)
})

test('a camera whose host dies while the database is away is recorded by another one, behind what is recorded', async () => {
  const openings: (Opening & { stream: number })[] = []
  const hosts: HostListener[] = []
  const connect: Connect = (listener) => {
    hosts.push(listener)
    const send = (command: Command): void => {
      if (command.kind === 'open') openings.push({ ...command.opening, stream: command.stream })
      if (command.kind === 'close') listener.onEvent({ kind: 'closed', stream: command.stream })
    }
    return { send, close: () => undefined }
  }
  const { recording } = await open({ connect }, {}, async () => {
    throw new StoreAway('ECONNREFUSED')
  })
  const first = recording.attempt(demo, never)
  await vi.waitUntil(() => openings.length === 1, patience)
  const times = { start: 5000, finish: 7000, duration: 2, mediaStart: 0, offset: 0, bytes: 1, run: 1, volume: 0 }
  const numbers = { sequence: 9, discontinuity: 4, targetDuration: 2, arrivedAt: 7000, isKept: false }
  const event = { kind: 'segment', segment: { ...times, file: '' }, ...numbers } as const
  hosts[0]?.onEvent({ kind: 'recorder', stream: openings[0]?.stream ?? 0, event })
  hosts[0]?.onEnd()
  expect(await first).toMatchObject({ end: { kind: 'died' } })
  void recording.attempt(demo, never)
  await vi.waitUntil(() => openings.length === 2, patience)
  expect(openings[1]?.start).toEqual({
    recording: 1,
    counts: { nextSequence: 10, nextDiscontinuity: 4, targetDuration: 2 },
    recordedUntil: 7000,
  })
})

describe.each<[name: string, options: PoolOptions]>([
  ['in this process', { connect: connectHost(Date.now) }],
  ['in a process of its own', ingestWorkers()],
])('a camera recorded %s', (_name, options) => {
  test('is reported in numbers, is on the disk, and is sealed in the end', async () => {
    const { recording, reported, listed, live, folder } = await open(options)
    const attempt = recording.attempt(demo, never)
    const segments = await listed(3)
    expect(segments.map(({ sequence, discontinuity }) => [sequence, discontinuity])).toEqual([
      [7, 4],
      [8, 4],
      [9, 4],
    ])
    expect(reported.words).toEqual(['avc1.42c01e, 640×360; a drawn scene'])
    expect([recording.isStarted(), recording.frameRate()]).toEqual([true, 25])
    const bytes = await Promise.all(segments.map((segment) => readFrom(folder, segment)))
    for (const [index, each] of segments.entries()) {
      expect(each.parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(each.bytes)
      expect(bytes[index]?.toString('latin1', 4, 8)).toBe('moof')
    }
    const run = live.newest()?.run
    expect([run?.init.bytes.toString('latin1', 4, 8), run?.codecs, run?.hasSound]).toEqual([
      'ftyp',
      'avc1.42c01e',
      false,
    ])
    recording.stop()
    expect(await attempt).toMatchObject({ end: { kind: 'stopped' } })
    expect(recording.isStarted()).toBe(false)
    const whole = reported.segments.map(({ segment }) => segment)
    expect(reported.segments.every(({ isKept }) => isKept)).toBe(true)
    const [chunk] = reported.chunks
    expect([reported.chunks.length, chunk?.start, chunk?.finish]).toEqual([1, whole[0]?.start, whole.at(-1)?.finish])
    expect(chunk?.counts?.nextSequence).toBe(7 + whole.length)
    // By its old name it is found under its new one.
    expect(await Promise.all(segments.map((segment) => readFrom(folder, segment)))).toEqual(bytes)
    await recording.close()
    expect(live.opened()).toEqual([])
  })

  test('is read while it grows: each part, and all of them as the segment on the disk', async () => {
    const { recording, live, listed, folder } = await open(options)
    void recording.attempt(demo, never)
    await listed(1)
    const read = async () => {
      while (live.opened().at(-1)?.parts.length !== 2) await live.waitForPart(AbortSignal.timeout(60_000))
      const growing = live.opened().at(-1)
      return { growing, parts: await Promise.all([0, 1].map((part) => growing?.read(part))) }
    }
    let { growing, parts } = await read()
    // On a busy machine the segment may end before it is read.
    while (parts.includes(undefined)) ({ growing, parts } = await read())
    expect(parts.map((part) => part?.length)).toEqual(growing?.parts.slice(0, 2).map(({ bytes }) => bytes))
    expect(await growing?.read(99)).toBeUndefined()
    const found = () => live.kept().find(({ start }) => start === growing?.start)
    while (found() === undefined) await live.waitForSegment(AbortSignal.timeout(60_000))
    const segment = found()
    if (segment === undefined) throw new Error('not listed')
    const written = await readFrom(folder, segment)
    expect(written.subarray(0, Buffer.concat(parts.map((part) => part ?? Buffer.of())).length)).toEqual(
      Buffer.concat(parts.map((part) => part ?? Buffer.of())),
    )
    expect(await growing?.read()).toBeUndefined()
  })

  test('is live from memory if the disk is full, and reports so', async () => {
    const { recording, reported, listed } = await open(options, {
      target: () => ({ volume: 1, folder: '/dev/null/door' }),
    })
    void recording.attempt(demo, never)
    const segments = await listed(2)
    expect(segments.map(({ file }) => file)).toEqual(['', ''])
    const bytes = await Promise.all(segments.map(({ readFromMemory }) => readFromMemory?.()))
    expect(bytes.map((each) => each?.length)).toEqual(segments.map((segment) => segment.bytes))
    const [segment] = segments
    if (segment === undefined) throw new Error('not listed')
    const [, part] = segment.parts
    const location = { ...segment, offset: part?.offset ?? 0, bytes: part?.bytes ?? 0 }
    expect(await readFrom('nowhere', location)).toEqual(
      bytes[0]?.subarray(location.offset, location.offset + location.bytes),
    )
    expect([new Set(reported.failures), reported.segments]).toEqual([new Set(['ENOTDIR']), []])
  })

  test('isn’t recorded for a time that is recorded already, as the index says', async () => {
    const asked: number[] = []
    const { recording, reported, listed } = await open(options, {
      start: {
        recording: 1,
        counts: { nextSequence: 0, nextDiscontinuity: 0, targetDuration: 1 },
        recordedUntil: Date.now() + 3_600_000,
      },
      isRecorded: async (from, to) => {
        asked.push(to - from)
        if (asked.length === 2) throw new Error('the database is gone')
        return asked.length === 1
      },
    })
    void recording.attempt(demo, never)
    await listed(4)
    expect(asked.slice(0, 3)).toEqual([990, 990, 990])
    await vi.waitUntil(() => reported.segments.length > 0, patience)
    // The first is covered, and the second is unknown.
    expect([reported.segments[0]?.segment.file === '', reported.failures, reported.counts.slice(0, 1)]).toEqual([
      false,
      ['full'],
      [1],
    ])
  })

  test('without archive is live only, as soon as that is set', async () => {
    const { recording, reported, listed, kept } = await open(options)
    void recording.attempt(demo, never)
    await listed(1)
    kept.isArchived = false
    recording.reconsider()
    await vi.waitUntil(() => reported.segments.some(({ isKept }) => !isKept), patience)
    const last = reported.segments.find(({ isKept }) => !isKept)
    expect(last?.segment.file).toMatch(/^\d+\.live$/)
    await vi.waitUntil(() => reported.chunks.length === 1, patience)
  })

  test('that isn’t allowed, or doesn’t answer, fails for that reason, and the tracks of one that was probed are kept', async () => {
    const { recording } = await open(options)
    const address = `${await serve(shortClip())}/camera.ts`
    const found: unknown[] = []
    const ask = async (source: string, allowLoopback: boolean) =>
      (
        await recording.attempt({ ...demo, source, allowLoopback }, (tracks, isConfirmed) =>
          found.push({ ...tracks, isConfirmed }),
        )
      ).end
    expect(await ask(address, false)).toEqual({ kind: 'failed', reason: 'ACCESS_DENIED_ERR' })
    expect(await ask('rtsp://192.0.2.1.invalid/x', false)).toEqual({ kind: 'failed', reason: 'EHOSTUNREACH' })
    expect(await ask('what?', false)).toEqual({ kind: 'failed', reason: 'ProbeError' })
    expect(found).toEqual([])
    expect(await ask(address, true)).toEqual({ kind: 'failed', reason: 'The connection was lost' })
    const tracks = { format: 'mpegts', tracks: [{ codec: 'h264' }], hasFarKeyframes: false }
    expect(found).toMatchObject([
      { ...tracks, isConfirmed: false },
      { ...tracks, isConfirmed: true },
    ])
  })

  test('that is stopped before it connects is stopped', async () => {
    const { recording } = await open(options)
    const attempt = recording.attempt({ ...demo, source: 'rtsp://192.0.2.1/x' }, never)
    recording.stop()
    expect(await attempt).toMatchObject({ end: { kind: 'stopped' }, videoMs: 0 })
  })
})

test('a fault in a worker is reported by the server with its message', async () => {
  const faults: { callback: string; error: unknown }[] = []
  onTestFinished(onFault((fault) => faults.push(fault)))
  const link = ingestWorkers().connect({ onEvent: () => undefined, onEnd: () => undefined })
  onTestFinished(link.close)
  const counts = { nextSequence: Number.NaN, nextDiscontinuity: 0, targetDuration: 0 }
  const start = { recording: 1, counts, recordedUntil: 0 }
  link.send({
    kind: 'open',
    stream: 1,
    opening: { target: { volume: 1, folder: '/' }, start, isArchived: true, partSeconds: 0.35 },
  })
  await vi.waitUntil(() => faults.length > 0, patience)
  expect(faults).toMatchObject([{ callback: 'worker: request', error: { message: expect.stringContaining('NaN') } }])
})
