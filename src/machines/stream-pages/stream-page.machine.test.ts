import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, sendParent, setup, SimulatedClock } from 'xstate'
import { configurationOf, ok, refused, settingsOf, streamOf, userOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Stream } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import type { StreamReport } from '../stream/stream.events.ts'
import { streamMachine } from '../stream/stream.machine.ts'
import type { StreamContentInput, StreamContentReport, StreamSaved } from './stream-page.machine.ts'
import { canAdminister, canViewArchiveAs, streamPageMachine } from './stream-page.machine.ts'

const mine = streamOf({ name: 'Gate', meta: { canAdmin: true } })
const theirs = streamOf({ name: 'Gate' })
const reader = userOf({ name: 'rob', isAdmin: false })

const forAdmins = streamPageMachine.provide({
  guards: { mayEnter: (_args, { stream, user }) => canAdminister(stream, user) },
})

const input: PageInput = {
  params: { uid: 'gate' },
  address: { pathname: '/stream/gate/setting', search: '', hash: '' },
  settings: settingsOf(),
  configuration: configurationOf(),
  user: reader,
}

function start(answers: Reply<Stream>[]) {
  const clock = new SimulatedClock()
  const received: object[] = []
  const seen: object[] = []
  const content = setup({ types: { input: {} as StreamContentInput } }).createMachine({
    context: ({ input: { uid, stream } }) => ({ uid, name: stream.name }),
    on: {
      'stream.reported': { actions: ({ event }) => seen.push(event) },
      pass: { actions: sendParent(({ event }) => ({ type: event['report'], stream: event['stream'] })) },
    },
  })
  const page = forAdmins.provide({
    actors: {
      content,
      stream: streamMachine.provide({
        actors: {
          fetchStream: fromPromise(async () => answers.shift() ?? refused(404, 'NotFound')),
        },
      }),
    },
  })
  const parent = setup({ actors: { page } }).createMachine({
    invoke: { id: 'page', src: 'page', input },
    on: { '*': { actions: ({ event }) => received.push(event) } },
  })
  const actor = createActor(parent, { clock }).start()
  const ref = () => {
    const { page: found } = actor.getSnapshot().children
    if (found === undefined) throw new Error('no page')
    return found
  }
  return {
    received,
    seen,
    value: () => ref().getSnapshot().value,
    retry: () => ref().send({ type: 'stream.retried' }),
    save: (stream: Stream) =>
      ref().getSnapshot().children.content?.send({ type: 'pass', report: 'stream.saved', stream }),
    pass: (report: StreamContentReport['type']) => ref().getSnapshot().children.content?.send({ type: 'pass', report }),
    second: async () => {
      clock.increment(1000)
      await settle()
    },
  }
}

const described = (canAdmin: boolean, name = 'Gate') => ({
  type: 'page.described',
  subject: { kind: 'stream', id: 'gate', name, canAdmin },
})

describe('a page about a stream', () => {
  test('describes the stream to the header, opens for users with the right and reports every change', async () => {
    const page = start([ok(mine), ok({ ...mine, name: 'Yard' })])
    await settle()
    expect(page.value()).toEqual({ visit: { open: 'staying' } })
    await page.second()
    expect(page.received).toEqual([described(true), described(true, 'Yard')])
    expect(page.seen).toEqual([{ type: 'stream.reported', stream: { ...mine, name: 'Yard' } }])
  })

  test('a stream saved by its content applies at once, to the header, the page and the content', async () => {
    const page = start([ok(mine)])
    await settle()
    const saved = { ...mine, name: 'North gate' }
    page.save(saved)
    expect(page.received).toEqual([described(true), described(true, 'North gate')])
    expect(page.seen).toEqual([{ type: 'stream.reported', stream: saved }])
  })

  test('refuses users who may only view, until the right is granted', async () => {
    const page = start([ok(theirs), ok(mine), ok(theirs)])
    await settle()
    expect([page.value(), page.received]).toEqual([{ visit: 'denied' }, [described(false)]])
    await page.second()
    expect(page.value()).toEqual({ visit: { open: 'staying' } })
    await page.second()
    expect(page.value()).toEqual({ visit: 'denied' })
  })

  test('a refused stream ends polling, and a retry starts it again', async () => {
    const page = start([ok(mine), refused(403, 'Forbidden'), ok(mine)])
    await settle()
    await page.second()
    expect(page.value()).toEqual({ visit: 'forbidden' })
    await page.second()
    page.retry()
    await settle()
    expect(page.value()).toEqual({ visit: { open: 'staying' } })
  })

  test("a stream that doesn't exist is reported to the root", async () => {
    const page = start([])
    await settle()
    expect(page.received).toEqual([{ type: 'page.missing' }])
  })

  test('while the stream is being deleted a poll may not find it, and the end leads to the list', async () => {
    const page = start([ok(mine)])
    await settle()
    page.pass('removal.started')
    await page.second()
    page.pass('stream.removed')
    expect(page.received).toEqual([described(true), { type: 'navigation.requested', href: '/streams' }])
  })
})

test('the right to administer includes the archive; administrators have both', () => {
  const rights = [theirs, mine, streamOf({ meta: { canViewArchive: true } })].flatMap((stream) =>
    [reader, userOf(), null].map((user) => [canAdminister(stream, user), canViewArchiveAs(stream, user)]),
  )
  expect(rights).toEqual([
    [false, false],
    [true, true],
    [false, false],
    [true, true],
    [true, true],
    [true, true],
    [false, true],
    [true, true],
    [false, true],
  ])
})

type Report = StreamReport | StreamContentReport | StreamSaved

test('every edge of the chart is walked', () => {
  const still = () => undefined
  const own = {
    'stream.reported': [
      { type: 'stream.reported', stream: mine },
      { type: 'stream.reported', stream: theirs },
    ],
    'stream.forbidden': [{ type: 'stream.forbidden', code: 'Forbidden' }],
    'page.missing': [{ type: 'page.missing' }],
    'removal.started': [{ type: 'removal.started' }],
    'removal.failed': [{ type: 'removal.failed' }],
    'stream.removed': [{ type: 'stream.removed' }],
    'stream.saved': [{ type: 'stream.saved', stream: mine }],
  } satisfies { [Type in Report['type']]: Extract<Report, { type: Type }>[] }
  const walked = walkEdges(forAdmins, {
    model: forAdmins.provide({
      actions: { describe: still, notifyContent: still, notifySaved: still, notifyMissing: still, goToList: still },
    }),
    input,
    events: [
      ...Object.values(own).flat(),
      { type: 'stream.retried' },
      { type: 'xstate.error.actor.content', error: new Error('broken') },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
