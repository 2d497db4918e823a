import { createActor, fromPromise, setup, SimulatedClock } from 'xstate'
import { describe, expect, test } from 'vitest'
import { Stream } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { noAnswer, ok, refused, settingsOf, streamOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { notificationsMachine } from '../notifications/notifications.machine.ts'
import type { StreamEvent } from './stream.events.ts'
import { streamMachine, type StreamRequest } from './stream.machine.ts'
import { isStreamAvailable } from './stream.selectors.ts'

const stream = streamOf({ live: { onDemand: true } })

function start(answer: (request: StreamRequest) => Promise<Reply<Stream>>, status = 'paused') {
  const clock = new SimulatedClock()
  const asked: StreamRequest[] = []
  const aborted: number[] = []
  const received: { type: string }[] = []
  const child = streamMachine.provide({
    actors: {
      fetchStream: fromPromise(({ input, signal }) => {
        const index = asked.push(input) - 1
        signal.addEventListener('abort', () => aborted.push(index))
        return answer(input)
      }),
      changeStatus: fromPromise(async ({ input }) =>
        input.change === 'pause' ? ok({ status }) : refused(403, 'Forbidden'),
      ),
    },
  })
  const parent = setup({ actors: { child } }).createMachine({
    invoke: { id: 'stream', src: 'child', input: { uid: 'gate' } },
    on: { '*': { actions: ({ event }) => received.push(event) } },
  })
  const actor = createActor(parent, { clock }).start()
  const ref = () => {
    const { stream: actorRef } = actor.getSnapshot().children
    if (actorRef === undefined) throw new Error('the stream has no actor')
    return actorRef
  }
  return {
    asked,
    aborted,
    received,
    clock,
    send: (event: StreamEvent) => ref().send(event),
    setVisible: (isVisible: boolean) =>
      ref()
        .getSnapshot()
        .children.poll?.send({ type: isVisible ? 'page.shown' : 'page.hidden' }),
    snapshot: () => ref().getSnapshot(),
  }
}

describe('the stream page (docs/behaviour.md §6)', () => {
  test('polls at once and then every second', async () => {
    const { asked, clock } = start(async () => ok(stream))
    for (let second = 0; second < 3; second += 1) {
      await settle()
      clock.increment(1000)
    }
    expect(asked).toEqual(Array.from({ length: 4 }, () => ({ uid: 'gate', extendLease: false })))
  })

  test('cancels the request before, and stretches the interval to 8 s until a response arrives', async () => {
    const answer = { wait: true }
    const { asked, aborted, clock } = start(() =>
      answer.wait ? new Promise(() => undefined) : Promise.resolve(ok(stream)),
    )
    clock.increment(1000)
    expect({ asked: asked.length, aborted }).toEqual({ asked: 2, aborted: [0] })
    clock.increment(1999)
    expect(asked.length).toBe(2)
    clock.increment(1)
    clock.increment(4000)
    clock.increment(8000)
    expect({ asked: asked.length, aborted }).toEqual({ asked: 5, aborted: [0, 1, 2, 3] })
    answer.wait = false
    clock.increment(8000)
    await settle()
    clock.increment(8000)
    await settle()
    clock.increment(1000)
    expect(asked.length).toBeGreaterThanOrEqual(8)
  })

  test('withdraws the toast of its failures once it ends, and when polling does', async () => {
    const answers = [
      refused(500, 'InternalServerError'),
      refused(403, 'Forbidden'),
      refused(500, 'InternalServerError'),
    ]
    const fetchStream = fromPromise<Reply<Stream>, StreamRequest>(async () => answers.shift() ?? ok(stream))
    const child = streamMachine.provide({ actors: { fetchStream } })
    const parent = setup({ actors: { child, notifications: notificationsMachine } }).createMachine({
      invoke: { id: 'notifications', systemId: 'notifications', src: 'notifications' },
      initial: 'open',
      states: { open: { invoke: { id: 'stream', src: 'child', input: { uid: 'gate' } } }, left: {} },
      on: { 'page.left': '.left' },
    })
    const clock = new SimulatedClock()
    const actor = createActor(parent, { clock }).start()
    const toasts = () => actor.getSnapshot().children.notifications?.getSnapshot().context.shown.length
    await settle()
    const shown = [toasts()]
    clock.increment(60_000)
    await settle()
    shown.push(toasts())
    actor.getSnapshot().children.stream?.send({ type: 'stream.retried' })
    await settle()
    shown.push(toasts())
    actor.send({ type: 'page.left' })
    expect([...shown, toasts()]).toEqual([1, 0, 1, 0])
  })

  test('extends the lease only while a live on-demand stream is playing', async () => {
    const { asked, clock, send } = start(async () => ok(stream))
    send({ type: 'stream.playing' })
    await settle()
    clock.increment(1000)
    await settle()
    send({ type: 'stream.idle' })
    clock.increment(1000)
    expect(asked.map(({ extendLease }) => extendLease)).toEqual([false, true, false])
  })

  test('a forbidden reply ends polling, is the error of the page, and can be retried', async () => {
    const { asked, clock, snapshot, send } = start(async () => refused(403, 'Forbidden'))
    await settle()
    clock.increment(60_000)
    expect({ asked: asked.length, code: snapshot().context.apiError?.code, value: snapshot().value }).toEqual({
      asked: 1,
      code: 'Forbidden',
      value: { polling: 'forbidden', command: 'none' },
    })
    send({ type: 'stream.retried' })
    expect(asked.length).toBe(2)
  })

  test("notifies the page that the stream doesn't exist", async () => {
    const { received } = start(async () => refused(404, 'NotFound'))
    await settle()
    expect(received).toEqual([{ type: 'page.missing' }])
  })

  test('keeps the last stream after a failure, and continues', async () => {
    const answers = [ok(stream), refused(500, 'InternalServerError'), ok({ ...stream, status: 'failed' })]
    const { clock, snapshot, received } = start(async () => answers.shift() ?? ok(stream))
    await settle()
    clock.increment(1000)
    await settle()
    expect({ stream: snapshot().context.stream, code: snapshot().context.apiError?.code }).toEqual({
      stream,
      code: 'InternalServerError',
    })
    clock.increment(1000)
    await settle()
    expect(snapshot().context.apiError).toBeNull()
    expect(received).toEqual([
      { type: 'stream.reported', stream },
      { type: 'stream.reported', stream: { ...stream, status: 'failed' } },
    ])
  })

  test('polls no sooner than the server says, and every second once it answers', async () => {
    const answers: Reply<Stream>[] = [
      ok(stream),
      { ok: false, apiError: { ...noAnswer, status: 429, code: 'TooManyRequests', retryAfterSeconds: 30 } },
    ]
    const { asked, clock } = start(async () => answers.shift() ?? ok(stream))
    await settle()
    clock.increment(1000)
    await settle()
    clock.increment(29_999)
    expect(asked.length).toBe(2)
    clock.increment(1)
    await settle()
    expect(asked.length).toBe(3)
    clock.increment(1000)
    expect(asked.length).toBe(4)
  })

  test('a page that is hidden when the delay ends pauses, and one that is shown before waits', async () => {
    const wait: Reply<Stream> = {
      ok: false,
      apiError: { ...noAnswer, status: 429, code: 'TooManyRequests', retryAfterSeconds: 30 },
    }
    const { asked, clock, setVisible } = start(async () => wait)
    await settle()
    setVisible(false)
    setVisible(true)
    setVisible(false)
    clock.increment(60_000)
    expect(asked.length).toBe(1)
    setVisible(true)
    expect(asked.length).toBe(2)
  })

  test('applies the status in the response to a pause', async () => {
    const { snapshot, send, received } = start(async () => ok(stream))
    await settle()
    send({ type: 'stream.pauseRequested' })
    await settle()
    expect(snapshot().context.stream?.status).toBe('paused')
    expect(received.at(-1)).toEqual({ type: 'stream.reported', stream: { ...stream, status: 'paused' } })
    send({ type: 'stream.resumeRequested' })
    await settle()
    expect(snapshot().context.stream?.status).toBe('paused')
  })

  test('drops a request that was sent before the pause, whose answer would undo it', async () => {
    const before = Promise.withResolvers<Reply<Stream>>()
    const answers: Promise<Reply<Stream>>[] = [Promise.resolve(ok(stream)), before.promise]
    const { asked, aborted, clock, received, send, snapshot } = start(
      () => answers.shift() ?? Promise.resolve(ok({ ...stream, status: 'paused' })),
    )
    await settle()
    clock.increment(1000)
    send({ type: 'stream.pauseRequested' })
    await settle()
    before.resolve(ok(stream))
    await settle()
    expect({ status: snapshot().context.stream?.status, aborted, asked: asked.length }).toEqual({
      status: 'paused',
      aborted: [1],
      asked: 2,
    })
    clock.increment(1000)
    await settle()
    expect([asked.length, received]).toEqual([
      3,
      [
        { type: 'stream.reported', stream },
        { type: 'stream.reported', stream: { ...stream, status: 'paused' } },
      ],
    ])
  })

  test('keeps its status if the response to a pause has none, until the next poll', async () => {
    const { snapshot, send, received } = start(async () => ok(stream), '')
    await settle()
    send({ type: 'stream.pauseRequested' })
    await settle()
    expect({
      status: snapshot().context.stream?.status,
      command: snapshot().value.command,
      received: received.map(({ type }) => type).includes('notification.raised'),
    }).toEqual({
      status: 'running',
      command: 'none',
      received: false,
    })
  })

  test('a hidden page pauses, and polls at once when it is shown', async () => {
    const { asked, clock, setVisible } = start(async () => ok(stream))
    await settle()
    setVisible(false)
    clock.increment(60_000)
    expect(asked.length).toBe(1)
    setVisible(true)
    expect(asked.length).toBe(2)
  })
})

describe('a stream that was saved here', () => {
  const saved = streamOf({ name: 'North gate', status: 'pending', meta: { marker: '#fff', canAdmin: false } })
  const known = streamOf({ name: 'Gate', meta: { marker: '', canAdmin: true, isShared: true }, viewers: 3 })
  const merged = { ...saved, meta: { ...known.meta, marker: '#fff' }, viewers: 3 }

  test('is applied and reported at once, merged into the known one; an earlier request is dropped', async () => {
    const answers: Promise<Reply<Stream>>[] = [Promise.resolve(ok(known)), new Promise(() => undefined)]
    const { asked, aborted, clock, received, send, snapshot } = start(
      () => answers.shift() ?? Promise.resolve(ok(known)),
    )
    await settle()
    clock.increment(1000)
    send({ type: 'stream.saved', stream: saved })
    expect({ stream: snapshot().context.stream, last: received.at(-1), asked: asked.length, aborted }).toEqual({
      stream: merged,
      last: { type: 'stream.reported', stream: merged },
      asked: 2,
      aborted: [1],
    })
    clock.increment(1000)
    expect(asked.length).toBe(3)
  })

  test('is applied while the page is hidden too, without a request', async () => {
    const { asked, setVisible, send, snapshot } = start(async () => ok(known))
    await settle()
    setVisible(false)
    send({ type: 'stream.saved', stream: saved })
    expect([snapshot().context.stream, snapshot().value.polling, asked.length]).toEqual([
      merged,
      { active: 'waiting' },
      1,
    ])
  })
})

test("a stream is unavailable only in a cluster, on another node that isn't available", () => {
  const settings = (cluster: boolean) => settingsOf({ clusterEnabled: cluster, nodeId: 'a' })
  const at = (id: string, available: boolean) => streamOf({ node: { id, available } })
  const table = [false, true].flatMap((cluster) =>
    ['a', 'b'].flatMap((id) =>
      [false, true].map((available) => [
        cluster,
        id,
        available,
        isStreamAvailable(at(id, available), settings(cluster)),
      ]),
    ),
  )
  expect(table).toEqual([
    [false, 'a', false, true],
    [false, 'a', true, true],
    [false, 'b', false, true],
    [false, 'b', true, true],
    [true, 'a', false, true],
    [true, 'a', true, true],
    [true, 'b', false, false],
    [true, 'b', true, true],
  ])
})

test('a stream of which the server names no node is available in a cluster, too', () => {
  const stream = Stream.parse({ uid: 'gate', name: 'Gate' })
  expect(isStreamAvailable(stream, settingsOf({ clusterEnabled: true, nodeId: 'a' }))).toBe(true)
})

test('every edge of the chart is walked', () => {
  const own = {
    'stream.playing': [{ type: 'stream.playing' }],
    'stream.idle': [{ type: 'stream.idle' }],
    'stream.pauseRequested': [{ type: 'stream.pauseRequested' }],
    'stream.resumeRequested': [{ type: 'stream.resumeRequested' }],
    'stream.retried': [{ type: 'stream.retried' }],
    'stream.saved': [{ type: 'stream.saved', stream }],
    'poll.due': [{ type: 'poll.due' }],
    'poll.rested': [{ type: 'poll.rested' }],
  } satisfies { [Type in StreamEvent['type']]: Extract<StreamEvent, { type: Type }>[] }
  const wait: Reply<Stream> = { ok: false, apiError: { ...noAnswer, retryAfterSeconds: 3 } }
  const answers = [
    ok(stream),
    wait,
    refused(401, 'AuthorizationRequired'),
    refused(403, 'Forbidden'),
    refused(404, 'NotFound'),
    refused(500, 'InternalServerError'),
  ]
  const events = [
    ...Object.values(own).flat(),
    ...answers.map((output) => ({ type: 'xstate.done.actor.fetchStream', output })),
    { type: 'xstate.error.actor.fetchStream', error: new Error('broken') },
    { type: 'xstate.done.actor.changeStatus', output: ok({ status: 'paused' }) },
    { type: 'xstate.done.actor.changeStatus', output: refused(409, 'ActionNotAcceptable') },
    { type: 'xstate.error.actor.changeStatus', error: new Error('broken') },
  ]
  const walked = walkEdges(streamMachine, {
    model: streamMachine.provide({
      actions: {
        notifyChanged: () => undefined,
        notifyForbidden: () => undefined,
        notifyMissing: () => undefined,
        notifyAnswered: () => undefined,
        delayPoll: () => undefined,
      },
    }),
    input: { uid: 'gate' },
    events,
    name: ({ value, context }) => JSON.stringify([value, context.apiError !== null]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
