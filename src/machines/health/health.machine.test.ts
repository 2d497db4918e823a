import { createActor, createMachine, fromCallback, fromPromise, setup, SimulatedClock } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { Health } from '../../api/contract/health.ts'
import type { Reply } from '../../api/reply.ts'
import { healthOf, ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { notificationsMachine } from '../notifications/notifications.machine.ts'
import {
  type Checked,
  type Dismissals,
  drainedNode,
  type HealthEvent,
  healthMachine,
  mergedDismissals,
  shownWarnings,
} from './health.machine.ts'

const day = 24 * 3600 * 1000
const now = Date.UTC(2026, 10, 21, 8)

const warns = (...codes: string[]): Reply<Health> => ok(healthOf(codes.map((code) => ({ code }))))
function start(
  answer: () => Promise<Reply<Health>> | Reply<Health>,
  { dismissals = {}, isOutdated = false }: { dismissals?: Dismissals; isOutdated?: boolean } = {},
) {
  const clock = new SimulatedClock()
  const received: string[] = []
  const persisted: Dismissals[] = []
  const counts = { asked: 0, aborted: 0 }
  const child = healthMachine.provide({
    actors: {
      checkHealth: fromPromise(async ({ signal }) => {
        counts.asked += 1
        signal.addEventListener('abort', () => (counts.aborted += 1))
        return { reply: await answer(), at: now + clock.now(), isOutdated }
      }),
      visibility: fromCallback(() => undefined),
    },
    actions: { persistDismissals: (_args, params) => persisted.push(params.dismissals) },
  })
  const parent = setup({ actors: { child, notifications: notificationsMachine } }).createMachine({
    invoke: [
      { id: 'notifications', systemId: 'notifications', src: 'notifications' },
      { id: 'health', src: 'child', input: { dismissals } },
    ],
    on: { '*': { actions: ({ event }) => received.push(event.type) } },
  })
  const actor = createActor(parent, { clock }).start()
  const { health, notifications } = actor.getSnapshot().children
  if (health === undefined || notifications === undefined) throw new Error('not started')
  return {
    clock,
    counts,
    received,
    persisted,
    send: (event: HealthEvent) => health.send(event),
    begin: async () => {
      health.send({ type: 'health.checkRequested' })
      await settle()
    },
    pass: async (ms: number) => {
      clock.increment(ms)
      await settle()
    },
    value: () => health.getSnapshot().value,
    shown: () => shownWarnings(health.getSnapshot().context).map(({ code }) => code),
    toasts: () => notifications.getSnapshot().context.shown.map(({ code }) => code),
    closeToast: () => notifications.send({ type: 'notification.dismissed', id: 'server' }),
  }
}

describe('asking (docs/behaviour.md §4.4)', () => {
  test('waits for the request to start, then polls at once and every 60 s', async () => {
    const { counts, begin, pass, value } = start(() => warns())
    expect({ value: value(), asked: counts.asked }).toEqual({ value: { idle: 'shown' }, asked: 0 })
    await begin()
    expect(counts.asked).toBe(1)
    await pass(59_999)
    expect(counts.asked).toBe(1)
    await pass(1)
    expect(counts.asked).toBe(2)
  })

  test('is checked at once after a change, and 60 s later', async () => {
    const { counts, begin, pass, send } = start(() => warns())
    await begin()
    await pass(30_000)
    send({ type: 'health.checkRequested' })
    await pass(59_999)
    expect(counts.asked).toBe(2)
    await pass(1)
    expect(counts.asked).toBe(3)
  })

  test('a request without a response is cancelled by the next one, and shows a toast', async () => {
    const { counts, begin, pass, toasts } = start(() => new Promise(() => undefined))
    await begin()
    await pass(60_000)
    await pass(60_000)
    expect({ ...counts, toasts: toasts() }).toEqual({ asked: 3, aborted: 2, toasts: ['NoResponse'] })
  })

  test('a hidden page aborts the request and pauses; shown again it polls at once', async () => {
    const { counts, begin, pass, send } = start(() => new Promise(() => undefined))
    await begin()
    send({ type: 'page.hidden' })
    await pass(600_000)
    expect(counts).toEqual({ asked: 1, aborted: 1 })
    send({ type: 'page.shown' })
    await settle()
    expect(counts.asked).toBe(2)
  })

  test('a page that opens hidden polls once it is shown', async () => {
    const { counts, begin, pass, send } = start(() => warns())
    send({ type: 'page.hidden' })
    await begin()
    await pass(600_000)
    expect(counts.asked).toBe(0)
    send({ type: 'page.shown' })
    await settle()
    expect(counts.asked).toBe(1)
  })

  test('a page that is shown before the request to start waits for it', async () => {
    const { counts, begin, send } = start(() => warns())
    send({ type: 'page.hidden' })
    send({ type: 'page.shown' })
    await settle()
    expect(counts.asked).toBe(0)
    await begin()
    expect(counts.asked).toBe(1)
  })
})

test('another version than the first is reported to the parent, an unknown one is not', async () => {
  const versions = ['', '4.2', '', '4.2', '4.3']
  const { begin, pass, received } = start(() => ok({ version: versions.shift() ?? '4.3', warnings: [] }))
  await begin()
  for (let round = 0; round < 3; round += 1) await pass(60_000)
  expect(received).not.toContain('server.updated')
  await pass(60_000)
  expect(received.filter((type) => type === 'server.updated')).toHaveLength(1)
})

test('another build of the console is reported to the parent, even by the first answer', async () => {
  const { begin, received } = start(() => warns(), { isOutdated: true })
  await begin()
  expect(received).toEqual(['server.updated', 'server.answered'])
})

describe('an outage (docs/behaviour.md §4.4)', () => {
  const table: [Reply<Health>, string[]][] = [
    [refused(0, 'NoResponse'), ['NoResponse']],
    [refused(500, 'InternalServerError'), ['InternalServerError']],
    [refused(502, ''), ['NoResponse']],
    [refused(503, 'Unavailable'), ['Unavailable']],
    [refused(200, 'UnreadableReply'), ['UnreadableReply']],
    [refused(404, 'NotFound'), []],
    [refused(423, ''), []],
  ]
  test.each(table)('%o is reported as %o', async (reply, codes) => {
    const { begin, toasts } = start(() => reply)
    await begin()
    expect(toasts()).toEqual(codes)
  })

  test('shows one toast, not again once closed, and withdraws it with the next response', async () => {
    const answers = [refused(0, 'NoResponse'), refused(0, 'NoResponse'), warns(), refused(0, 'NoResponse'), warns()]
    const { begin, pass, toasts, closeToast, received } = start(() => answers.shift() ?? warns())
    await begin()
    closeToast()
    await pass(5_000)
    expect(toasts()).toEqual([])
    await pass(5_000)
    await pass(60_000)
    expect(toasts()).toEqual(['NoResponse'])
    await pass(5_000)
    expect({ toasts: toasts(), received }).toEqual({
      toasts: [],
      received: ['server.missed', 'server.missed', 'server.answered', 'server.missed', 'server.answered'],
    })
  })

  test('ends with a refusal, too, as the server responds', async () => {
    const answers = [refused(0, 'NoResponse'), refused(429, 'TooManyRequests')]
    const { begin, pass, toasts } = start(() => answers.shift() ?? refused(0, 'NoResponse'))
    await begin()
    await pass(5_000)
    expect(toasts()).toEqual([])
    await pass(55_000)
    expect(toasts()).toEqual(['NoResponse'])
  })

  test('is polled every 5 s until the server answers, and then every 60 s', async () => {
    const answers = [refused(0, 'NoResponse'), refused(502, ''), warns()]
    const { counts, begin, pass } = start(() => answers.shift() ?? warns())
    await begin()
    for (const asked of [1, 2]) {
      await pass(4_999)
      expect(counts.asked).toBe(asked)
      await pass(1)
    }
    expect(counts.asked).toBe(3)
    await pass(49_999)
    expect(counts.asked).toBe(3)
    await pass(1)
    expect(counts.asked).toBe(4)
  })

  test('shows each known warning once, and no other', async () => {
    const codes = ['SOMETHING_NEW', 'FFMPEG_NOT_ISOLATED', '', 'CLOCK_STEPPED_BACK', 'FFMPEG_NOT_ISOLATED']
    const { begin, shown } = start(() => warns(...codes))
    await begin()
    expect(shown()).toEqual(['FFMPEG_NOT_ISOLATED', 'CLOCK_STEPPED_BACK'])
  })

  test('keeps the last warnings', async () => {
    const answers = [warns('ALLOC_DIR_DISK_SPACE'), refused(500, 'InternalServerError')]
    const { begin, pass, shown } = start(() => answers.shift() ?? warns())
    await begin()
    await pass(60_000)
    expect(shown()).toEqual(['ALLOC_DIR_DISK_SPACE'])
  })
})

describe('dismissing (docs/behaviour.md §4.4)', () => {
  test('is remembered for 7 days, and no longer', async () => {
    const { begin, pass, send, shown, persisted } = start(() => warns('ALLOC_DIR_DISK_SPACE', 'LICENSE_EXPIRATION'))
    await begin()
    send({ type: 'warning.dismissed', code: 'ALLOC_DIR_DISK_SPACE', at: now })
    expect({ shown: shown(), persisted }).toEqual({
      shown: ['LICENSE_EXPIRATION'],
      persisted: [{ ALLOC_DIR_DISK_SPACE: now + 7 * day }],
    })
    for (let minute = 0; minute < 7 * 24 * 60 - 1; minute += 1) await pass(60_000)
    expect(shown()).toEqual(['LICENSE_EXPIRATION'])
    await pass(60_000)
    expect(shown()).toEqual(['ALLOC_DIR_DISK_SPACE', 'LICENSE_EXPIRATION'])
  })

  test('those of two tabs are kept, each until the later moment', () => {
    const own = { CLOCK_STEPPED_BACK: now + day, MQTT_AWAY: now + day, OIDC_AWAY: now }
    const stored = { ALLOC_DIR_DISK_SPACE: now + day, MQTT_AWAY: now + 2 * day, LICENSE_EXPIRATION: now - 1 }
    expect(mergedDismissals(own, stored, now)).toEqual({
      ALLOC_DIR_DISK_SPACE: now + day,
      CLOCK_STEPPED_BACK: now + day,
      MQTT_AWAY: now + 2 * day,
    })
  })

  test('stored dismissals apply, and expired ones are dropped', async () => {
    const dismissals = { ALLOC_DIR_DISK_SPACE: now + day, LICENSE_EXPIRATION: now - 1 }
    const answer = () => warns('ALLOC_DIR_DISK_SPACE', 'LICENSE_EXPIRATION', 'CLOCK_STEPPED_BACK')
    const { begin, send, shown, persisted } = start(answer, { dismissals })
    await begin()
    expect(shown()).toEqual(['LICENSE_EXPIRATION', 'CLOCK_STEPPED_BACK'])
    send({ type: 'warning.dismissed', code: 'CLOCK_STEPPED_BACK', at: now })
    expect(persisted).toEqual([{ ALLOC_DIR_DISK_SPACE: now + day, CLOCK_STEPPED_BACK: now + 7 * day }])
  })

  test('of a warning about nodes is for these: it is shown again for another one', async () => {
    const lost = (...nodes: string[]) => ok(healthOf([{ code: 'CLUSTER_NODE_LOST', nodes }]))
    const answers = [lost('north'), lost('north', 'south'), lost('south')]
    const { begin, pass, send, shown, persisted } = start(() => answers.shift() ?? lost('south', 'west'))
    await begin()
    send({ type: 'warning.dismissed', code: 'CLUSTER_NODE_LOST', nodes: ['north'], at: now })
    expect({ shown: shown(), persisted }).toEqual({
      shown: [],
      persisted: [{ 'CLUSTER_NODE_LOST north': now + 7 * day }],
    })
    await pass(60_000)
    expect(shown()).toEqual(['CLUSTER_NODE_LOST'])
    send({ type: 'warning.dismissed', code: 'CLUSTER_NODE_LOST', nodes: ['north', 'south'], at: now })
    await pass(60_000)
    expect(shown()).toEqual([])
    await pass(60_000)
    expect(shown()).toEqual(['CLUSTER_NODE_LOST'])
  })

  test('a drained node is always shown, whatever is stored', async () => {
    const { begin, send, shown, persisted } = start(() => warns(drainedNode), {
      dismissals: { [drainedNode]: now + day },
    })
    await begin()
    send({ type: 'warning.dismissed', code: drainedNode, at: now })
    expect({ shown: shown(), persisted }).toEqual({ shown: [drainedNode], persisted: [] })
  })
})

test('every edge of the chart is walked', () => {
  const own = {
    'health.checkRequested': [{ type: 'health.checkRequested' }],
    'page.hidden': [{ type: 'page.hidden' }],
    'page.shown': [{ type: 'page.shown' }],
    'warning.dismissed': [{ type: 'warning.dismissed', code: 'OTHER', at: now }],
  } satisfies { [Type in HealthEvent['type']]: Extract<HealthEvent, { type: Type }>[] }
  const answers = [warns(), refused(500, 'InternalServerError'), refused(404, 'NotFound')]
  const walked = walkEdges(healthMachine, {
    model: healthMachine.provide({
      actions: {
        notifyFailure: () => undefined,
        withdrawFailure: () => undefined,
        notifyMissed: () => undefined,
        notifyAnswered: () => undefined,
        notifyUpdated: () => undefined,
      },
    }),
    input: { dismissals: {} },
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.after.pollInterval.health.polling' },
      { type: 'xstate.after.retryInterval.health.polling.failing' },
      ...answers.map((reply) => ({
        type: 'xstate.done.actor.checkHealth',
        output: { reply, at: now, isOutdated: false },
      })),
      { type: 'xstate.error.actor.checkHealth', error: new Error('broken') },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})

test('without notifications it goes on', async () => {
  const reply: Reply<Health> = refused(0, 'NoResponse')
  const child = healthMachine.provide({
    actors: { checkHealth: fromPromise<Checked>(async () => ({ reply, at: now, isOutdated: false })) },
  })
  const actor = createActor(createMachine({ invoke: { id: 'health', src: child, input: { dismissals: {} } } })).start()
  actor.getSnapshot().children['health']?.send({ type: 'health.checkRequested' })
  await settle()
  expect(actor.getSnapshot().children['health']?.getSnapshot().value).toEqual({ polling: 'failing' })
  actor.stop()
})
