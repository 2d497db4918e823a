import { expect, onTestFinished, test, vi } from 'vitest'
import { createOwnSpools } from '../../../server/archive/recorder/own-spools.ts'
import { createAnnotationStore } from '../../../server/archive/events/annotations.ts'
import { createIngestPool } from '../../../server/ingest/pool.ts'
import type { AttemptRequest, AttemptResult } from '../../../server/ingest/protocol.ts'
import { schema } from '../../../server/schema.ts'
import { noLostTime } from '../../../server/streams/lost-time.ts'
import { noOutageLog } from '../../../server/streams/outages.ts'
import { createSupervisor } from '../../../server/streams/supervisor.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { row } from '../fixtures/paused-stream.ts'

const ignore = () => undefined

/** A stream whose connections end as `resultOf` says; what six ask for, its status at the start of each, and its log. */
const supervised = async (resultOf: (request: AttemptRequest) => AttemptResult) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const statuses: object[] = []
  const requests: AttemptRequest[] = []
  const pool = createIngestPool({
    maxStreams: 1,
    hasSpare: false,
    now: () => 0,
    connect: ({ onEvent }) => ({
      send: (command) => {
        const { kind, stream } = command
        if (kind === 'attempt') {
          const { request } = command
          statuses.push(supervisor.status())
          requests.push(request)
          const result = resultOf(request)
          queueMicrotask(() => onEvent({ kind: 'started', stream, tracks: request.tracks }))
          setTimeout(() => onEvent({ kind: 'ended', stream, result }), result.videoMs)
        }
        const stopped = { end: { kind: 'stopped' }, videoMs: 0 } as const
        if (kind === 'stop') queueMicrotask(() => onEvent({ kind: 'ended', stream, result: stopped }))
        if (kind === 'close') queueMicrotask(() => onEvent({ kind: 'closed', stream }))
      },
      close: ignore,
    }),
  })
  const counts = { nextSequence: 0, nextDiscontinuity: 0, targetDuration: 1 }
  const prepared = {
    start: { recording: 1, counts, recordedUntil: 0 },
    lastInit: undefined,
    spools: createOwnSpools().ofNext('door'),
    target: () => ({ volume: 0, folder: '/dev/null', marker: undefined }),
    isRecorded: async () => false,
    onSegment: ignore,
    onSealed: ignore,
    onCounts: ignore,
    onVolumeFailed: ignore,
  }
  const log: string[] = []
  const supervisor = createSupervisor(
    { ...row, uid: 'door', name: 'Door', source: 'rtsp://192.0.2.1/x', isPaused: false },
    {
      pool,
      prepared,
      prepare: async () => prepared,
      known: {},
      keepTracks: ignore,
      logs: { write: (_uid, _level, message) => void log.push(message), read: async () => [] },
      outageLog: noOutageLog,
      annotations: createAnnotationStore(await memoryStore(schema)),
      backgroundWrites: { add: ignore, written: async () => undefined, pending: () => 0 },
      allowLoopback: false,
      isDrained: () => false,
      isHolding: () => true,
      isKeeping: () => true,
      onKeyframe: ignore,
      mayRecord: () => true,
      lostTime: noLostTime,
      now: () => 0,
      onDiskFailure: ignore,
      onClockSetBack: ignore,
      onSegment: ignore,
    },
  )
  while (statuses.length < 6) await vi.advanceTimersToNextTimerAsync()
  await supervisor.stop()
  return { statuses, requests, log }
}

const pending = { status: 'pending', failureReason: '' }
const changed = 'The source changed what it sends'

test('a source that changes again and again before anything is recorded has failed for that', async () => {
  const { statuses, log } = await supervised(() => ({ end: { kind: 'changed' }, videoMs: 0 }))
  const failed = { status: 'failed', failureReason: changed }
  expect(statuses).toEqual([pending, pending, pending, failed, failed, failed])
  expect(new Set(log)).toEqual(new Set([`${changed}: connecting again`]))
})

test('a source that sends video before it changes has not failed', async () => {
  const { statuses } = await supervised(() => ({ end: { kind: 'changed' }, videoMs: 5000 }))
  expect(statuses).toEqual(Array.from({ length: 6 }, () => pending))
})

test('announced sound that doesn’t come is asked for again only by a connection half an hour later', async () => {
  const found = { format: 'rtsp', tracks: [], hasFarKeyframes: false }
  const { requests } = await supervised(({ tracks }) =>
    tracks?.sound === 'unusable'
      ? { end: { kind: 'failed', reason: 'The connection was lost' }, videoMs: 20 * 60_000, tracks }
      : { end: { kind: 'soundless' }, videoMs: 10_000, tracks: { ...found, sound: 'unusable' } },
  )
  const without = { ...found, sound: 'unusable' }
  expect(requests.map(({ tracks }) => tracks)).toEqual([undefined, without, without, found, without, without])
})
