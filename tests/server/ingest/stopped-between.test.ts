import { expect, test, vi } from 'vitest'
import { createIngestHost } from '../../../server/ingest/host.ts'
import type { HostEvent } from '../../../server/ingest/protocol.ts'
import { startIngest, type IngestEnd } from '../../../server/media/ingest.ts'
import { patience } from '../../fixtures/patience.ts'

const ended = vi.hoisted(() => Promise.withResolvers<IngestEnd>())
vi.mock('../../../server/media/ingest.ts', () => {
  const ingest = { stop: () => undefined, frameRate: () => 0 }
  const never = new Promise(() => undefined)
  return {
    startIngest: vi.fn(() => ({ ...ingest, ended: never })).mockReturnValueOnce({ ...ingest, ended: ended.promise }),
  }
})
vi.mock('../../../server/ingest/plan.ts', () => ({
  planIngest: async () => ({ args: [], summary: '' }),
  planOtherSound: () => ({ args: [], summary: '' }),
}))

test('a camera that is stopped while its recording ends for its sound isn’t recorded again', async () => {
  const events: HostEvent[] = []
  const host = createIngestHost({ now: Date.now, clockAheadMs: () => 0, send: (event) => events.push(event) })
  const counts = { nextSequence: 0, nextDiscontinuity: 0, targetDuration: 1 }
  const opening = { target: undefined, start: { recording: 1, counts, recordedUntil: 0 }, partSeconds: 0.35 }
  host.take({ kind: 'open', stream: 1, opening: { ...opening, isArchived: true } })
  const request = { uid: 'door', source: '', hasFailed: false, hadSound: true, allowLoopback: false }
  host.take({ kind: 'attempt', stream: 1, request })
  await vi.waitUntil(() => events.some(({ kind }) => kind === 'started'), patience)
  host.take({ kind: 'stop', stream: 1 })
  ended.resolve({ kind: 'soundless' })
  await vi.waitUntil(() => events.some(({ kind }) => kind === 'ended'), patience)
  expect(events.at(-1)).toMatchObject({ kind: 'ended', result: { end: { kind: 'stopped' } } })
  expect(startIngest).toHaveBeenCalledTimes(1)
})
