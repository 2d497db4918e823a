import type { TimeRange } from '../../api/contract/time-range.ts'
import { createActor, createMachine, fromPromise, SimulatedClock, type AnyEventObject } from 'xstate'
import { describe, expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Reply } from '../../api/reply.ts'
import { unknownApiError } from '../api-errors.ts'
import type { ChunksAnswer, ChunksEvent, ChunksInput } from './chunks.events.ts'
import { createChunksMachine } from './chunks.machine.ts'

const hour = 3_600_000
const now = 1000 * hour

const refused = (status: number, code: string): Reply<string> => ({
  ok: false,
  apiError: { status, code, message: '', details: {}, retryAfterSeconds: null },
})
const okReply = (value: string): Reply<string> => ({ ok: true, value, retryAfterSeconds: null })

const input: ChunksInput = {
  kind: 'ranges',
  streamId: 'yard',
  lengthMs: 3 * hour,
  period: { from: now - 20 * hour, to: now + 3 * hour },
  width: 1150,
  now,
}

const machine = createChunksMachine<string, string>(
  (value) => value,
  ({ content }) => content === 'gap',
)

describe('edges', () => {
  const answer = (reply: Reply<string>) => ({
    type: 'xstate.done.actor.loadChunks',
    output: [{ cell: { from: now - 3 * hour, to: now }, reply }],
    actorId: 'loadChunks',
  })
  const small: ChunksInput = { ...input, period: { from: now - 2 * hour, to: now - hour }, lengthMs: 90_000 }
  const fixtures: readonly ChunksEvent[] = [
    { type: 'chunks.requested', period: small.period, width: 1150, now },
    { type: 'chunks.requested', period: { from: now - 102 * hour, to: now - 101 * hour }, width: 1150, now },
    { type: 'chunks.prioritized', at: now - 2 * hour },
    { type: 'chunks.prioritized', at: now - 2 * hour, isUrgent: true },
    { type: 'chunks.outdated' },
    { type: 'chunks.permitted' },
    { type: 'chunks.ticked', now: now + 1000 },
    { type: 'page.hidden' },
    { type: 'page.shown' },
  ]
  const events: readonly AnyEventObject[] = [
    ...fixtures,
    answer(okReply('gap')),
    answer(refused(403, 'Forbidden')),
    answer(refused(400, 'TimeRangeIsTooLong')),
    answer(refused(0, 'NoResponse')),
    { type: 'xstate.error.actor.loadChunks', error: new Error('broken'), actorId: 'loadChunks' },
    { type: 'xstate.after.refreshInterval.chunks.settled' },
    { type: 'xstate.after.retryPause.chunks.waiting' },
  ]

  test('all are walked', () => {
    const walked = walkEdges(machine, {
      model: machine.provide({ actions: { report: () => undefined } }),
      input: small,
      events,
      name: ({ value, context }) =>
        JSON.stringify([value, context['lengthMs'] > 60_000, context['chunks'].length > 0, context['period'].from]),
    })
    expect(walked.strayed).toEqual([])
    expect(walked.covered).toEqual(walked.declared)
  })
})

/** A parent that records events, and a server that answers when the test decides. */
function start(overrides: Partial<ChunksInput> = {}) {
  const asked: {
    cells: readonly TimeRange[]
    signal: AbortSignal
    answer: (reply: (cell: TimeRange) => Reply<string>) => Promise<void>
  }[] = []
  const reported: AnyEventObject[] = []
  const provided = machine.provide({
    actors: {
      loadChunks: fromPromise(({ input: { cells }, signal }) => {
        const { promise, resolve } = Promise.withResolvers<ChunksAnswer<string>>()
        asked.push({
          cells,
          signal,
          answer: async (reply) => {
            resolve(cells.map((cell) => ({ cell, reply: reply(cell) })))
            await promise
            await Promise.resolve()
          },
        })
        return promise
      }),
    },
  })
  const clock = new SimulatedClock()
  const parent = createActor(
    createMachine({
      invoke: { id: 'chunks', src: provided, input: { ...input, ...overrides } },
      on: { '*': { actions: ({ event }) => reported.push(event) } },
    }),
    { clock },
  ).start()
  const child = parent.getSnapshot().children['chunks']
  return {
    asked,
    reported,
    clock,
    send: (event: ChunksEvent) => child?.send(event),
    value: () => child?.getSnapshot().value,
  }
}

const hours = ({ from, to }: TimeRange) => [(from - now) / hour, (to - now) / hour]

describe('loading', () => {
  test('requests the shown period from the middle out, then the margin, and nothing of the future', async () => {
    const { asked, reported, value } = start({ period: { from: now - 6 * hour, to: now + 6 * hour }, now: now + hour })
    expect(asked[0]?.cells.map(hours)).toEqual([
      [-1, 2],
      [-4, -1],
      [-7, -4],
    ])
    await asked[0]?.answer(() => okReply('recorded'))
    expect(asked[1]?.cells.map(hours)).toEqual([[-10, -7]])
    await asked[1]?.answer(() => okReply('gap'))
    expect(value()).toBe('settled')
    expect(reported.map(({ type, chunks, apiError }) => [type, chunks.length, apiError])).toEqual([
      ['chunks.changed', 3, null],
      ['chunks.changed', 4, null],
    ])
  })

  test('aborts a request that is out of sight, and keeps one that is partly in sight', async () => {
    const { asked, send } = start({ period: { from: now - 8 * hour, to: now - 2 * hour } })
    send({ type: 'chunks.requested', period: { from: now - 9 * hour, to: now - 3 * hour }, width: 1150, now })
    expect([asked.length, asked[0]?.signal.aborted]).toEqual([1, false])
    send({ type: 'chunks.requested', period: { from: now - 208 * hour, to: now - 202 * hour }, width: 1150, now })
    expect([asked.length, asked[0]?.signal.aborted]).toEqual([2, true])
  })

  test('requests half the length if a chunk is too long', async () => {
    const { asked } = start({ period: { from: now - 2 * hour, to: now - hour } })
    expect(asked[0]?.cells.map(hours)).toEqual([
      [-4, -1],
      [-1, 2],
    ])
    await asked[0]?.answer(() => refused(400, 'TimeRangeIsTooLong'))
    expect(asked[1]?.cells.map(({ from, to }) => to - from)).toEqual([1.5 * hour, 1.5 * hour])
    await asked[1]?.answer(() => refused(400, 'TimeRangeIsTooLong'))
    expect(asked[2]?.cells.every(({ from, to }) => to - from === 0.75 * hour)).toBe(true)
  })

  test('a failure is retried after 2, 4, 8… seconds, and the known chunks stay', async () => {
    const { asked, clock, reported, value } = start({ period: { from: now - 2 * hour, to: now - hour } })
    for (const [index, pause] of [2000, 4000, 8000].entries()) {
      await asked[index]?.answer(() => refused(503, 'Unavailable'))
      expect(value()).toBe('waiting')
      clock.increment(pause - 1)
      expect(asked.length).toBe(index + 1)
      clock.increment(1)
      expect(asked.length).toBe(index + 2)
    }
    expect(reported.at(-1)).toMatchObject({ apiError: { status: 503 } })
    await asked[3]?.answer(() => okReply('recorded'))
    expect(reported.at(-1)).toMatchObject({ apiError: null })
  })

  test('consecutive failures raise one toast, with the code that health has for an outage; 403 raises none', async () => {
    const replies = [
      refused(503, 'Unavailable'),
      refused(503, 'Unavailable'),
      okReply('recorded'),
      refused(502, ''),
      refused(504, ''),
      refused(0, 'NoResponse'),
      okReply('recorded'),
      refused(0, 'NoResponse'),
      refused(0, 'NoResponse'),
      okReply('recorded'),
      refused(500, ''),
      okReply('recorded'),
      refused(200, 'UnreadableReply'),
      refused(500, 'InternalServerError'),
      okReply('recorded'),
      refused(400, 'ValidationError'),
      refused(400, 'ValidationError'),
      refused(403, 'Forbidden'),
    ]
    const child = machine.provide({
      actors: {
        loadChunks: fromPromise(async ({ input: { cells } }) => {
          const reply = replies.shift() ?? okReply('recorded')
          return cells.map((cell) => ({ cell, reply }))
        }),
      },
    })
    const raised: unknown[] = []
    const clock = new SimulatedClock()
    const notifications = createMachine({
      on: { 'notification.raised': { actions: ({ event }) => raised.push(event['code']) } },
    })
    createActor(
      createMachine({
        invoke: [
          { systemId: 'notifications', src: notifications },
          { src: child, input },
        ],
      }),
      { clock },
    ).start()
    for (let turn = 0; turn < 20; turn += 1) {
      clock.increment(hour)
      await settle()
    }
    expect([raised, replies]).toEqual([
      ['Unavailable', 'NoResponse', 'NoResponse', '', 'UnreadableReply', 'ValidationError'],
      [],
    ])
  })

  test('a prioritized moment is tried four times, and then given up', async () => {
    const { asked, clock, reported, send } = start({ period: { from: now - 2 * hour, to: now - hour } })
    const at = now - 50 * hour
    await asked[0]?.answer(() => okReply('recorded'))
    send({ type: 'chunks.prioritized', at })
    for (const [index, pause] of [2000, 4000, 8000, 16_000].entries()) {
      expect(asked[index + 1]?.cells.map(hours)).toEqual([[-52, -49]])
      await asked[index + 1]?.answer(() => refused(503, 'Unavailable'))
      clock.increment(pause)
    }
    expect([asked.length, reported.map(({ abandonedAt }) => abandonedAt)]).toEqual([5, [null, null, null, null, at]])
  })

  test('a moment that the server refuses is given up at once', async () => {
    const { asked, reported, send } = start({ period: { from: now - 2 * hour, to: now - hour } })
    await asked[0]?.answer(() => okReply('recorded'))
    send({ type: 'chunks.prioritized', at: now - 50 * hour })
    await asked[1]?.answer(() => refused(400, 'ValidationError'))
    expect(reported.at(-1)).toMatchObject({ apiError: { status: 400 }, abandonedAt: now - 50 * hour })
  })

  test('an urgent moment ends the pause after a failure, unless the server has asked for it', async () => {
    const { asked, send, value } = start({ period: { from: now - 2 * hour, to: now - hour } })
    await asked[0]?.answer(() => refused(503, 'Unavailable'))
    send({ type: 'chunks.prioritized', at: now - 20 * hour })
    expect([asked.length, value()]).toEqual([1, 'waiting'])
    send({ type: 'chunks.prioritized', at: now - 50 * hour, isUrgent: true })
    expect(asked[1]?.cells.slice(0, 1).map(hours)).toEqual([[-52, -49]])
    const apiError = { ...unknownApiError, status: 503, retryAfterSeconds: 30 }
    await asked[1]?.answer(() => ({ ok: false, apiError }))
    send({ type: 'chunks.prioritized', at: now - 80 * hour, isUrgent: true })
    expect([asked.length, value()]).toEqual([2, 'waiting'])
  })

  test('a fault is reported as an error, so that a search for a moment ends', async () => {
    const reported: AnyEventObject[] = []
    const broken = machine.provide({ actors: { loadChunks: fromPromise(() => Promise.reject(new Error('broken'))) } })
    createActor(
      createMachine({
        invoke: { src: broken, input },
        on: { '*': { actions: ({ event }) => reported.push(event) } },
      }),
      { clock: new SimulatedClock() },
    ).start()
    await settle()
    expect(reported).toEqual([
      { type: 'chunks.changed', kind: 'ranges', chunks: [], apiError: unknownApiError, abandonedAt: null },
    ])
  })

  test('without the right to the archive nothing more is requested', async () => {
    const { asked, clock, reported, value } = start()
    await asked[0]?.answer(() => refused(403, 'LicenseExpired'))
    expect(value()).toBe('forbidden')
    clock.increment(10 * hour)
    expect(asked.length).toBe(1)
    expect(reported.at(-1)).toMatchObject({ apiError: { code: 'LicenseExpired' } })
  })

  test('without the right nothing is requested when the page is shown again, or with another period', async () => {
    const { asked, send, value } = start()
    await asked[0]?.answer(() => refused(403, 'Forbidden'))
    send({ type: 'page.hidden' })
    send({ type: 'page.shown' })
    send({ type: 'chunks.requested', period: { from: now - 102 * hour, to: now - 101 * hour }, width: 1150, now })
    send({ type: 'chunks.outdated' })
    expect([value(), asked.length]).toEqual(['forbidden', 1])
  })

  test('once the user may have the right again, everything is requested', async () => {
    const { asked, send, value } = start({ period: { from: now - 2 * hour, to: now - hour } })
    send({ type: 'chunks.permitted' })
    await asked[0]?.answer(({ from }) => (from === now - hour ? okReply('recorded') : refused(403, 'Forbidden')))
    send({ type: 'chunks.permitted' })
    expect([value(), asked.length, asked[1]?.cells.map(hours)]).toEqual(['loading', 2, asked[0]?.cells.map(hours)])
  })

  test('refreshes by the interval, and only what can still grow', async () => {
    const { asked, clock, value } = start({ period: { from: now - 5 * hour, to: now - hour }, width: 300 })
    await asked[0]?.answer(() => okReply('recorded'))
    expect([asked.length, value()]).toEqual([1, 'settled'])
    clock.increment(287_999)
    expect(asked.length).toBe(1)
    clock.increment(1)
    expect(asked[1]?.cells.map(hours)).toEqual([[-1, 2]])
  })

  test('refreshes the whole period if it is to, without the margins', async () => {
    const { asked, clock } = start({
      period: { from: now - 104 * hour, to: now - 101 * hour },
      width: 300,
      isRefreshedWhole: true,
    })
    await asked[0]?.answer(() => okReply('recorded'))
    expect(asked[0]?.cells.length).toBe(2)
    clock.increment(216_000)
    expect(asked[1]?.cells.map(hours)).toEqual([
      [-103, -100],
      [-106, -103],
    ])
  })

  test('requests a moment again that was in the future when its chunk was loaded', async () => {
    const { asked, send } = start({ period: { from: now - 2 * hour, to: now } })
    await asked[0]?.answer(() => okReply('recorded'))
    send({ type: 'chunks.prioritized', at: now - hour })
    send({ type: 'chunks.prioritized', at: now + hour })
    expect(asked.length).toBe(1)
    send({ type: 'chunks.prioritized', at: now + 1000, now: now + 2000 })
    expect(asked[1]?.cells.map(hours)).toEqual([[-1, 2]])
  })

  test('requests past gaps again on request, pauses while hidden and requests at once when shown', async () => {
    const { asked, send, value } = start({ period: { from: now - 5 * hour, to: now - 4 * hour } })
    await asked[0]?.answer(({ from }) => okReply(from === now - 4 * hour ? 'recorded' : 'gap'))
    expect(value()).toBe('settled')
    send({ type: 'chunks.outdated' })
    expect(asked.at(-1)?.cells.map(hours)).toEqual([[-7, -4]])
    send({ type: 'page.hidden' })
    expect([value(), asked.at(-1)?.signal.aborted]).toEqual(['resting', true])
    send({ type: 'page.shown' })
    expect([value(), asked.length]).toEqual(['loading', 3])
  })
})
