import type { TimeRange } from '../../api/contract/time-range.ts'
import { createActor, createMachine, fromPromise, SimulatedClock, waitFor, type AnyEventObject } from 'xstate'
import { describe, expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { annotationsMachine, rangesMachine } from './timeline.actors.ts'
import { coverageMachine, type Coverage } from './coverage.machine.ts'
import type { TimelineEvent, TimelineInput } from './timeline.events.ts'
import { timelineMachine } from './timeline.machine.ts'

const hour = 3_600_000
const now = Date.UTC(2026, 10, 21, 12)
const input: TimelineInput = { streamId: 'yard', rangesMaxSeconds: 10_800, now, zone: 'UTC' }
const apiError: ApiError = { status: 503, code: 'Unavailable', message: '', details: {}, retryAfterSeconds: null }

const chunk = (from: number, to: number, type: 'gap' | 'fragment') => ({
  from,
  to,
  loadedAt: now,
  isStale: false,
  content: [{ type, from, to }],
})

describe('edges', () => {
  const fixtures = {
    zoomedIn: { type: 'timeline.zoomedIn', at: now },
    zoomedOut: { type: 'timeline.zoomedOut' },
    zoomedAt: { type: 'timeline.zoomedAt', factor: 1000, at: now },
    movedEarlier: { type: 'timeline.movedEarlier' },
    movedLater: { type: 'timeline.movedLater' },
    centred: { type: 'timeline.centred', at: now - 30 * hour },
    panned: { type: 'timeline.panned', to: now - 20 * hour },
    resized: { type: 'timeline.resized', width: 1000 },
    picked: { type: 'timeline.pickRequested', at: now - hour },
    pickedUnknown: { type: 'timeline.pickRequested', at: now - 90 * hour },
    next: { type: 'timeline.nextRequested', after: now - 91 * hour },
    previous: { type: 'timeline.previousRequested', before: now - 92 * hour },
    nextAnnotation: { type: 'timeline.annotationRequested', at: now - 91 * hour, direction: 1 },
    previousAnnotation: { type: 'timeline.annotationRequested', at: now - hour, direction: -1 },
    shown: { type: 'timeline.shown', at: now - 50 * hour, span: hour },
    cancelled: { type: 'timeline.searchCancelled' },
    live: { type: 'timeline.liveChanged', available: true, windowStart: now - 10_000, now },
    ticked: { type: 'timeline.ticked', now: now + 1000, playhead: now },
    tickedBeyond: { type: 'timeline.ticked', now: now + 2000, playhead: now + 100 * hour },
    zone: { type: 'timeline.zoneChosen', zone: 'Europe/Berlin' },
    permitted: { type: 'timeline.permitted' },
  } satisfies Record<string, TimelineEvent>
  const events: readonly AnyEventObject[] = [
    ...Object.values(fixtures),
    { type: 'chunks.changed', kind: 'ranges', chunks: [chunk(now - 100 * hour, now, 'fragment')], apiError: null },
    {
      type: 'chunks.changed',
      kind: 'ranges',
      chunks: [chunk(now - 93 * hour, now - 88 * hour, 'gap')],
      apiError: null,
    },
    { type: 'chunks.changed', kind: 'ranges', chunks: [], apiError },
    { type: 'chunks.changed', kind: 'ranges', chunks: [], apiError, abandonedAt: now - 90 * hour },
    { type: 'chunks.changed', kind: 'annotations', chunks: [], apiError: null },
    { type: 'chunks.changed', kind: 'annotations', chunks: [], apiError },
    { type: 'coverage.changed', coverage: { recorded: null, days: ['2026-11-20'] }, apiError: null },
    { type: 'coverage.changed', coverage: null, apiError },
  ]

  test('all are walked', () => {
    const mute = () => undefined
    const walked = walkEdges(timelineMachine, {
      model: timelineMachine.provide({
        actions: {
          report: mute,
          notifyPeriod: mute,
          notifyTime: mute,
          notifyTimeToAnnotations: mute,
          notifyZone: mute,
          notifyAwaited: mute,
          notifySpan: mute,
        },
      }),
      input,
      events,
      name: ({ value, context }) =>
        JSON.stringify([
          value,
          context['recorded'],
          context['rangesApiError'] !== null,
          context['annotationsApiError'] !== null,
          context['query'],
          context['awaitedAt'],
          context['playhead'] === null,
          context['period'].from < now && context['period'].to > now,
        ]),
    })
    expect(walked.strayed).toEqual([])
    expect(walked.covered).toEqual(walked.declared)
  })
})

/**
 * A server with the first half of each of the last 100 hours, until `recordedUntil`; it refuses the cells for which
 * `refuse` says why.
 */
function start(
  refuse: (cell: TimeRange) => ApiError | null = () => null,
  recordedUntil: () => number = () => now - 6 * hour,
) {
  const clock = new SimulatedClock()
  const requestedCells: TimeRange[] = []
  const received: AnyEventObject[] = []
  const provided = timelineMachine.provide({
    actors: {
      ranges: rangesMachine.provide({
        actors: {
          loadChunks: fromPromise(async ({ input: { cells } }) =>
            cells.map((cell) => {
              requestedCells.push(cell)
              const refusal = refuse(cell)
              if (refusal !== null) return { cell, reply: { ok: false, apiError: refusal } }
              const ranges = []
              for (
                let date = Math.max(cell.from, now - 100 * hour);
                date < Math.min(cell.to, recordedUntil());
                date += hour
              ) {
                ranges.push({ date, status: 1 }, { date: date + hour / 2, status: 0 })
              }
              const value = { period: { startTime: cell.from, endTime: cell.to }, ranges }
              return { cell, reply: { ok: true, value, retryAfterSeconds: null } }
            }),
          ),
        },
      }),
      annotations: annotationsMachine.provide({
        actors: { loadChunks: fromPromise(async () => Promise.reject(new Error('no annotations here'))) },
      }),
      coverage: coverageMachine.provide({
        actors: {
          loadCoverage: fromPromise<Reply<Coverage>, { streamId: string; zone: string }>(async () => ({
            ok: true,
            value: {
              recorded: { from: now - 100 * hour, to: now - 6 * hour },
              days: ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'],
            },
            retryAfterSeconds: null,
          })),
        },
      }),
    },
  })
  const parent = createActor(
    createMachine({
      invoke: { id: 'timeline', src: provided, input },
      on: { '*': { actions: ({ event }) => received.push(event) } },
    }),
    { clock },
  ).start()
  const actor = parent.getSnapshot().children['timeline']
  if (actor === undefined) throw new Error('no timeline')
  const settled = () => waitFor(actor, (snapshot) => snapshot.value === 'idle' && snapshot.context.recorded.length > 0)
  const receivedOne = () => waitFor(parent, () => received.length > 0)
  return {
    requestedCells,
    received,
    actor,
    clock,
    settled,
    receivedOne,
    send: (event: TimelineEvent) => actor.send(event),
  }
}

test('a tick with the time of the live window before it keeps the list of intervals', async () => {
  const { actor, send, settled } = start()
  await settled()
  send({ type: 'timeline.liveChanged', available: true, windowStart: now - 20_000, now: now + 1000 })
  const { intervals } = actor.getSnapshot().context
  send({ type: 'timeline.ticked', now: now + 1000, playhead: now })
  expect(actor.getSnapshot().context.intervals).toBe(intervals)
  expect(actor.getSnapshot().context.playhead).toBe(now)
  send({ type: 'timeline.ticked', now: now + 2000, playhead: now })
  expect(actor.getSnapshot().context.intervals).not.toBe(intervals)
})

test('the player hears of a zoom once it rests', async () => {
  const { clock, received, send, settled } = start()
  await settled()
  for (let step = 0; step < 5; step += 1) {
    send({ type: 'timeline.zoomedAt', factor: 2, at: now })
    clock.increment(50)
  }
  expect(received).toEqual([])
  clock.increment(50)
  expect(received).toEqual([{ type: 'timeline.spanChanged', span: (23 * hour) / 2 ** 5 }])
})

describe('picks', () => {
  test('a fragment, a gap with a fragment after it, live, and the gap after now', async () => {
    const { received, send, settled } = start()
    await settled()
    await Promise.all(Array.from({ length: 20 }, () => Promise.resolve()))
    send({ type: 'timeline.liveChanged', available: true, windowStart: now - 20_000, now })
    for (const at of [now - 8 * hour, now - 7.25 * hour, now - 3 * hour, now - 1000, now + hour])
      send({ type: 'timeline.pickRequested', at })
    expect(
      received.map(({ type, at, interval, nextFragment }) => [
        type,
        (at - now) / hour,
        interval.type,
        nextFragment && (nextFragment.from - now) / hour,
      ]),
    ).toEqual([
      ['timeline.picked', -8, 'fragment', -8],
      ['timeline.picked', -7.25, 'gap', -7],
      ['timeline.picked', -3, 'gap', null],
      ['timeline.picked', -1000 / hour, 'live', null],
      ['timeline.picked', 1, 'gap', null],
    ])
  })

  test('time outside the visible period is searched chunk by chunk', async () => {
    const { requestedCells, received, send, settled, receivedOne, actor } = start()
    await settled()
    send({ type: 'timeline.pickRequested', at: now - 200 * hour })
    expect(actor.getSnapshot().hasTag('busy')).toBe(true)
    await waitFor(actor, (snapshot: { value: unknown }) => snapshot.value === 'idle')
    await receivedOne()
    expect(received).toEqual([
      {
        type: 'timeline.picked',
        at: now - 200 * hour,
        interval: { type: 'gap', from: expect.any(Number), to: expect.any(Number) },
        nextFragment: { type: 'fragment', from: now - 100 * hour, to: now - 99.5 * hour },
      },
    ])
    expect(requestedCells.length).toBeLessThan(25)
  })

  test('what was recorded since its time was loaded is found', async () => {
    let until = now
    const { received, send, settled, receivedOne } = start(undefined, () => until)
    await settled()
    await settle()
    until = now + 120_000
    send({ type: 'timeline.ticked', now: until })
    send({ type: 'timeline.liveChanged', available: true, windowStart: until - 15_000, now: until })
    send({ type: 'timeline.pickRequested', at: now + 60_000 })
    await receivedOne()
    expect(received.map(({ type, interval }) => [type, interval.type])).toEqual([['timeline.picked', 'fragment']])
  })

  test("a query that can't be answered finds nothing", async () => {
    const { received, send, settled, actor } = start(({ from }) =>
      from < now - 50 * hour ? { ...apiError, status: 403, code: 'Forbidden' } : null,
    )
    await settled()
    send({ type: 'timeline.previousRequested', before: now - 60 * hour })
    await waitFor(actor, (snapshot: { value: unknown }) => snapshot.value === 'idle')
    send({ type: 'timeline.nextRequested', after: now - 60 * hour })
    expect(received).toEqual([
      { type: 'timeline.previousFound', before: now - 60 * hour, previous: null },
      { type: 'timeline.nextFound', after: now - 60 * hour, next: null },
    ])
  })

  test('a query outlasts a failed request, and ends after several', async () => {
    const outage = { isOver: false }
    const { requestedCells, received, send, settled, actor, clock } = start(({ from }) =>
      from < now - 50 * hour && !outage.isOver ? apiError : null,
    )
    await settled()
    const pass = async (pauses: readonly number[]) => {
      await settle()
      for (const pause of pauses) {
        clock.increment(pause)
        await settle()
      }
    }
    send({ type: 'timeline.nextRequested', after: now - 60.75 * hour })
    await pass([2000])
    expect([received, actor.getSnapshot().value]).toEqual([[], 'searching'])
    outage.isOver = true
    await pass([4000])
    expect(received.map(({ type, next }) => [type, next.from - now])).toEqual([['timeline.nextFound', -60 * hour]])

    outage.isOver = false
    const lost = { type: 'timeline.nextFound', after: now - 90.75 * hour, next: null }
    send({ type: 'timeline.nextRequested', after: lost.after })
    await pass([2000, 4000])
    expect(received.length).toBe(1)
    await pass([8000])
    expect(received.slice(1)).toEqual([lost])
    const requestCount = requestedCells.length
    send({ type: 'timeline.nextRequested', after: lost.after })
    await pass([])
    expect([requestedCells.length > requestCount, received.slice(2)]).toEqual([true, [lost]])
  })
})

test('the shown period is requested again after the refresh interval, not with the coverage of each minute', async () => {
  const { requestedCells, clock, send, settled } = start()
  await settled()
  send({ type: 'timeline.resized', width: 1000 })
  await settle()
  const loaded = requestedCells.length
  const refresh = (6 * 23 * hour) / 1000
  for (let elapsed = 0; elapsed + 60_000 < refresh; elapsed += 60_000) {
    clock.increment(60_000)
    await settle()
  }
  expect(requestedCells.length).toBe(loaded)
  clock.increment(60_000)
  await settle()
  const hours = requestedCells.slice(loaded).map(({ from }) => (from - now) / hour)
  expect(hours.toSorted((one, other) => one - other)).toEqual([-21, -18, -15, -12, -9, -6, -3, 0])
})

test('an answer that changes nothing leaves recordings and annotations the same objects', () => {
  const actor = createActor(timelineMachine, { input, clock: new SimulatedClock() }).start()
  const mark = { type: 'event', from: now - hour, to: now - hour, isEvent: true }
  const afterChunks = (from: number) => {
    const ranges = [chunk(from, now - hour, 'gap'), chunk(now - hour, now, 'fragment')]
    const marks = [{ ...chunk(from, now, 'gap'), content: [{ ...mark, from }] }]
    actor.send({ type: 'chunks.changed', kind: 'ranges', chunks: ranges, apiError: null, abandonedAt: null })
    actor.send({ type: 'chunks.changed', kind: 'annotations', chunks: marks, apiError: null, abandonedAt: null })
    const { recorded, intervals, annotations: shown } = actor.getSnapshot().context
    return [recorded, intervals, shown]
  }
  const first = afterChunks(now - 2 * hour)
  const [same, other] = [afterChunks(now - 2 * hour), afterChunks(now - 3 * hour)]
  expect(same.map((list, index) => list === first[index])).toEqual([true, true, true])
  expect(other.map((list, index) => list === first[index])).toEqual([false, false, false])
  actor.stop()
})
