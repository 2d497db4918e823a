import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { Session } from '../../api/contract/user.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused, settingsOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { addressKindOf } from './address-kind.ts'
import { type SessionsEvent, sessionsMachine } from './sessions.machine.ts'
import { deviceOf } from './user-agent.ts'

const session = (id: string, lastSeenTime: number, isCurrent = false): Session => ({
  id,
  lastSeenTime,
  isCurrent,
  userAgent: '',
  ip: '',
})
const [old, current, recent] = [session('old', 1), session('current', 2, true), session('recent', 3)]

type ListReply = Reply<{ items: readonly Session[] }>

interface Answers {
  params?: Record<string, string>
  list?: ListReply | (() => Promise<ListReply>)
  end?: Reply<object>
}

function open({ params = {}, list = ok({ items: [old, current, recent] }), end = ok({}) }: Answers = {}) {
  const asked: object[] = []
  const page = openPage(
    sessionsMachine.provide({
      actors: {
        fetchSessions: fromPromise(async ({ input }) => {
          asked.push(input)
          return { reply: typeof list === 'function' ? await list() : list, at: 9 }
        }),
        endSession: fromPromise(async ({ input }) => {
          asked.push(input)
          return end
        }),
        endOthers: fromPromise(async ({ input }) => {
          asked.push(input)
          return end
        }),
      },
    }),
    pageInput({ params }),
  )
  return { ...page, asked, send: (event: SessionsEvent) => page.send(event) }
}

describe('sessions (docs/wire.md §5.4)', () => {
  test('are listed newest first', async () => {
    const { context, received, asked } = open()
    await settle()
    expect({ sessions: context().sessions, at: context().at, received, asked }).toEqual({
      sessions: [recent, current, old],
      at: 9,
      received: [],
      asked: [{ login: null }],
    })
  })

  test("of a user describe the user, and lead to not-found if the user doesn't exist", async () => {
    const { received, asked } = open({ params: { login: 'bob' } })
    await settle()
    expect(asked).toEqual([{ login: 'bob' }])
    expect(received).toEqual([
      { type: 'page.described', subject: { kind: 'user', id: 'bob', name: 'bob', canAdmin: true } },
    ])
    const nobody = open({ params: { login: 'nobody' }, list: refused(404, 'NotFound') })
    await settle()
    expect(nobody.received).toEqual([{ type: 'page.missing' }])
  })

  test('of another user come with the API tokens if the server has the feature', () => {
    const shown = (params: Record<string, string>, features: string[]) => {
      const { context } = openPage(sessionsMachine, { ...pageInput({ params }), settings: settingsOf({ features }) })
      return context().tokens?.getSnapshot().context.login
    }
    const bob = { login: 'bob' }
    const logins = [shown(bob, ['user-tokens']), shown(bob, []), shown({}, ['user-tokens'])]
    expect(logins).toEqual(['bob', undefined, undefined])
  })

  test('a session ends after a confirmation, and the list is fetched again', async () => {
    const { send, asked, toasts } = open()
    await settle()
    send({ type: 'end.requested', session: old })
    expect(asked.length).toBe(1)
    send({ type: 'end.confirmed' })
    await settle()
    expect(asked).toEqual([{ login: null }, { login: null, id: 'old' }, { login: null }])
    expect(toasts()).toEqual([{ tone: 'success', code: 'sessionEnded', values: {} }])
  })

  test('one that ends while the list is fetched leaves the list for good', async () => {
    const late = Promise.withResolvers<ListReply>()
    const answers = [Promise.resolve(ok({ items: [old, current, recent] })), late.promise]
    const list = () => answers.shift() ?? Promise.resolve(ok({ items: [current] }))
    const { send, context } = open({ list })
    await settle()
    for (const each of [old, recent]) {
      send({ type: 'end.requested', session: each })
      send({ type: 'end.confirmed' })
      await settle()
    }
    late.resolve(ok({ items: [current, recent] }))
    await settle()
    expect(context().sessions).toEqual([current])
  })

  test('all but the current one end after a confirmation', async () => {
    const { send, asked, toasts } = open()
    await settle()
    send({ type: 'endOthers.requested' })
    send({ type: 'end.confirmed' })
    await settle()
    expect(asked).toEqual([{ login: null }, { login: null, ids: ['recent', 'old'] }, { login: null }])
    expect(toasts()).toEqual([{ tone: 'success', code: 'sessionsEnded', values: {} }])
  })

  test('a session that has already ended is not found, and leaves the list; with any other error it stays', async () => {
    const gone = open({ end: refused(404, 'NotFound') })
    const kept = open({ end: refused(503, 'Unavailable') })
    await settle()
    for (const { send } of [gone, kept]) {
      send({ type: 'end.requested', session: old })
      send({ type: 'end.confirmed' })
    }
    await settle()
    expect([gone.toasts(), kept.toasts()]).toEqual([
      [{ tone: 'error', code: 'NotFound', values: {} }],
      [{ tone: 'error', code: 'Unavailable', values: {} }],
    ])
    expect(kept.context().sessions.length).toBe(3)
  })

  test('every edge of the chart is walked', () => {
    const events = [
      { type: 'list.retried' },
      { type: 'end.requested', session: old },
      { type: 'endOthers.requested' },
      { type: 'end.confirmed' },
      { type: 'end.cancelled' },
    ] satisfies SessionsEvent[]
    const { declared, covered, strayed } = walkEdges(sessionsMachine, {
      model: sessionsMachine.provide({
        actions: { describe: () => undefined, notifyMissing: () => undefined, raiseToast: () => undefined },
      }),
      input: pageInput({ params: { login: 'bob' } }),
      events: [
        ...events,
        { type: 'xstate.done.actor.fetchSessions', output: { reply: ok({ items: [] }), at: 1 } },
        { type: 'xstate.done.actor.fetchSessions', output: { reply: refused(500, ''), at: 1 } },
        { type: 'xstate.done.actor.fetchSessions', output: { reply: refused(404, ''), at: 1 } },
        { type: 'xstate.error.actor.fetchSessions', error: new Error('not provided') },
        ...['endSession', 'endOthers'].flatMap((actor) => [
          { type: `xstate.done.actor.${actor}`, output: ok({}) },
          { type: `xstate.done.actor.${actor}`, output: refused(500, '') },
          { type: `xstate.error.actor.${actor}`, error: new Error('not provided') },
        ]),
      ],
      name: ({ value, context }) => `${JSON.stringify(value)} ${context.chosen?.id}`,
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Chrome 142',
    'Windows',
    'desktop',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.1',
    'Edge 142',
    'Windows',
    'desktop',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari 18',
    'macOS',
    'desktop',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari 18',
    'iOS',
    'phone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Safari/537.36',
    'Samsung Internet 27',
    'Android',
    'tablet',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    'Chrome 142',
    'Android',
    'phone',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox 145', 'Linux', 'desktop'],
  [
    'Mozilla/5.0 (X11; CrOS x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 OPR/120.0',
    'Opera 120',
    'ChromeOS',
    'desktop',
  ],
  ['curl/8.5.0', 'curl', '', 'program'],
  ['', '', '', 'program'],
  ['Mozilla/5.0', '', '', 'desktop'],
])('%s reads as %s on %s', (userAgent, browser, system, kind) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system, kind })
})

test.each([
  ['127.0.0.1', 'machine'],
  ['::1', 'machine'],
  ['::ffff:127.0.0.1', 'machine'],
  ['10.1.2.3', 'local'],
  ['172.31.0.1', 'local'],
  ['172.32.0.1', 'public'],
  ['192.168.0.9', 'local'],
  ['fd00::5', 'local'],
  ['fe80::1', 'local'],
  ['203.0.113.7', 'public'],
  ['2001:db8::1', 'public'],
  ['', 'unknown'],
])('%s is %s', (ip, kind) => {
  expect(addressKindOf(ip)).toBe(kind)
})
