import { createActor, fromCallback, fromPromise, setup, SimulatedClock } from 'xstate'
import { describe, expect, test } from 'vitest'
import { Configuration } from '../../api/contract/settings.ts'
import { noResponse, type Reply } from '../../api/reply.ts'
import { ok, refused, settingsOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { PageInput } from '../app/app.events.ts'
import { notificationsMachine } from '../notifications/notifications.machine.ts'
import { type Cooldown, type RecoveryEvent, recoveryMachine, secondsUntil } from './recovery.machine.ts'

const input: PageInput = {
  params: {},
  address: { pathname: '/recover-password', search: '', hash: '' },
  settings: settingsOf(),
  configuration: Configuration.parse({}),
  user: null,
}
const start = 1_000_000
const okWithRetryAfter = (seconds: number): Reply<object> => ({ ok: true, value: {}, retryAfterSeconds: seconds })
const tooMany = (seconds: number): Reply<never> => ({
  ok: false,
  apiError: { ...noResponse, status: 429, code: 'TooManyRequests', retryAfterSeconds: seconds },
})

function open({
  send = async () => ok({}),
  reset = async () => ok({}),
  stored = null,
}: {
  send?: () => Promise<Reply<object>>
  reset?: () => Promise<Reply<object>>
  stored?: Cooldown | null
}) {
  const received: object[] = []
  const asked: object[] = []
  const written: (Cooldown | null)[] = []
  const clocks = new Set<(event: RecoveryEvent) => void>()
  const child = recoveryMachine.provide({
    actors: {
      readCooldown: fromPromise(async () => ({ stored, at: start })),
      sendCode: fromPromise(async ({ input: given }) => {
        asked.push(given)
        return { reply: await send(), at: start }
      }),
      resetPassword: fromPromise(async ({ input: given }) => {
        asked.push(given)
        return { reply: await reset(), at: start }
      }),
      clock: fromCallback<RecoveryEvent>(({ sendBack }) => {
        clocks.add(sendBack)
        return () => clocks.delete(sendBack)
      }),
    },
    actions: { storeCooldown: (_args, { cooldown }) => written.push(cooldown) },
  })
  const parent = setup({ actors: { child, notifications: notificationsMachine } }).createMachine({
    invoke: [
      { id: 'notifications', systemId: 'notifications', src: 'notifications' },
      { id: 'recovery', src: 'child', input },
    ],
    on: { '*': { actions: ({ event }) => received.push(event) } },
  })
  const actor = createActor(parent, { clock: new SimulatedClock() }).start()
  const { recovery, notifications } = actor.getSnapshot().children
  if (recovery === undefined) throw new Error('the page has no actor')
  return {
    received,
    asked,
    written,
    send: (event: RecoveryEvent) => recovery.send(event),
    tick: (seconds: number) => clocks.forEach((clock) => clock({ type: 'clock.ticked', at: start + seconds * 1000 })),
    clocks,
    value: () => recovery.getSnapshot().value,
    context: () => recovery.getSnapshot().context,
    toasts: () => notifications?.getSnapshot().context.shown.map(({ tone, code, values }) => ({ tone, code, values })),
  }
}

const email = 'ann@example.org'

describe('recovering a password (docs/behaviour.md §11)', () => {
  test('sends a code, and another only after the retry delay', async () => {
    const { send, tick, asked, value, written, toasts, clocks, context } = open({
      send: async () => okWithRetryAfter(60),
    })
    await settle()
    send({ type: 'recovery.edited', values: { email: ` ${email} ` } })
    send({ type: 'code.requested' })
    await settle()
    send({ type: 'code.requested' })
    expect(asked).toEqual([{ email }])
    expect(toasts()).toEqual([{ tone: 'success', code: 'codeSent', values: { email } }])
    expect(written).toEqual([{ email: ` ${email} `, until: start + 60_000 }])
    tick(59.5)
    expect({ value: value(), seconds: secondsUntil(context().codeAllowedAt, context().now) }).toEqual({
      value: { code: 'coolingDown', reset: 'ready' },
      seconds: 1,
    })
    tick(60)
    expect({ value: value(), clocks: clocks.size }).toEqual({ value: { code: 'ready', reset: 'ready' }, clocks: 0 })
    send({ type: 'code.requested' })
    await settle()
    expect(asked.length).toBe(2)
  })

  test('names the address that the code went to, though the field was edited meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<Reply<object>>()
    const { send, toasts, written, context } = open({ send: () => promise })
    await settle()
    send({ type: 'recovery.edited', values: { email } })
    send({ type: 'code.requested' })
    send({ type: 'recovery.edited', values: { email: 'bob@example.org' } })
    resolve(okWithRetryAfter(60))
    await settle()
    expect({ toasts: toasts(), written, email: context().email }).toEqual({
      toasts: [{ tone: 'success', code: 'codeSent', values: { email } }],
      written: [{ email, until: start + 60_000 }],
      email: 'bob@example.org',
    })
  })

  test('still waits for the retry delay after a reload', async () => {
    const { value, context } = open({ stored: { email, until: start + 30_000 } })
    await settle()
    expect({ value: value(), email: context().email }).toEqual({
      value: { code: 'coolingDown', reset: 'ready' },
      email,
    })
  })

  test('resets with code and password and goes to sign in', async () => {
    const { send, asked, received, toasts, written } = open({})
    await settle()
    send({ type: 'recovery.edited', values: { email, code: ' 1 2 ', password: ' p ' } })
    send({ type: 'reset.submitted' })
    await settle()
    expect(asked).toEqual([{ email, code: '1 2', password: ' p ' }])
    expect(received).toEqual([{ type: 'navigation.requested', href: '/auth?recover=1' }])
    expect(toasts()).toEqual([{ tone: 'success', code: 'passwordChanged', values: { email } }])
    expect(written).toEqual([null])
  })

  test('a reset forgets the address, but not the retry delay', async () => {
    const { send, written } = open({ send: async () => okWithRetryAfter(600) })
    await settle()
    send({ type: 'recovery.edited', values: { email, code: '1', password: 'p' } })
    send({ type: 'code.requested' })
    await settle()
    send({ type: 'reset.submitted' })
    await settle()
    expect(written.at(-1)).toEqual({ email: '', until: start + 600_000 })
  })

  test.each(['NotFound', ''])('names the email address that no user has: %o', async (code) => {
    const { send, toasts, context } = open({ send: async () => refused(404, code) })
    await settle()
    send({ type: 'recovery.edited', values: { email } })
    send({ type: 'code.requested' })
    await settle()
    expect(toasts()).toEqual([{ tone: 'error', code: 'userNotFound', values: { email } }])
    expect(context().email).toBe(email)
  })

  test('waits for the Retry-After of the code and of the password separately', async () => {
    const { send, value, tick } = open({ send: async () => tooMany(10), reset: async () => tooMany(20) })
    await settle()
    send({ type: 'recovery.edited', values: { email, code: '1', password: 'p' } })
    send({ type: 'code.requested' })
    send({ type: 'reset.submitted' })
    await settle()
    expect(value()).toEqual({ code: 'coolingDown', reset: 'coolingDown' })
    tick(10)
    expect(value()).toEqual({ code: 'ready', reset: 'coolingDown' })
    tick(20)
    expect(value()).toEqual({ code: 'ready', reset: 'ready' })
  })

  test.each([
    ['PasswordIsNotComplexEnough', {}, { password: 'PasswordIsNotComplexEnough' }, ['PasswordIsNotComplexEnough']],
    ['UnknownLifetimeCode', {}, { code: 'UnknownLifetimeCode' }, ['UnknownLifetimeCode']],
    ['ValidationError', { code: 'Wrong' }, { code: 'Wrong' }, []],
  ])(
    'shows %s beside its field, and all but a ValidationError in a toast too',
    async (code, details, errors, raised) => {
      const { send, context, toasts } = open({
        reset: async () => ({ ok: false, apiError: { ...noResponse, status: 400, code, details } }),
      })
      await settle()
      send({ type: 'recovery.edited', values: { email, code: '1', password: 'p' } })
      send({ type: 'reset.submitted' })
      await settle()
      expect({ errors: context().errors, toasts: toasts()?.map((toast) => toast.code), code: context().code }).toEqual({
        errors,
        toasts: raised,
        code: '1',
      })
    },
  )

  test('requires all fields', async () => {
    const { send, context, asked } = open({})
    await settle()
    send({ type: 'code.requested' })
    expect(context().errors).toEqual({ email: 'required' })
    send({ type: 'reset.submitted' })
    expect({ errors: context().errors, failures: context().failures, asked }).toEqual({
      errors: { email: 'required', code: 'required', password: 'required' },
      failures: 2,
      asked: [],
    })
  })

  test('every edge of the chart is walked', () => {
    const events = [
      { type: 'recovery.edited', values: { email, code: '1', password: 'p' } },
      { type: 'code.requested' },
      { type: 'reset.submitted' },
      { type: 'clock.ticked', at: start + 5000 },
      { type: 'clock.ticked', at: start + 90_000 },
    ] satisfies RecoveryEvent[]
    const quiet = { notifySuccess: () => undefined, handleApiError: () => undefined, goToSignIn: () => undefined }
    const { declared, covered, strayed } = walkEdges(recoveryMachine, {
      model: recoveryMachine.provide({ actions: quiet }),
      input,
      events: [
        ...events,
        { type: 'xstate.done.actor.readCooldown', output: { stored: null, at: start } },
        { type: 'xstate.error.actor.readCooldown', error: new Error('not provided') },
        ...['sendCode', 'resetPassword'].flatMap((actor) => [
          { type: `xstate.done.actor.${actor}`, output: { reply: okWithRetryAfter(60), at: start } },
          { type: `xstate.done.actor.${actor}`, output: { reply: tooMany(60), at: start } },
          { type: `xstate.error.actor.${actor}`, error: new Error('not provided') },
        ]),
      ],
      name: ({ value, context }) =>
        `${JSON.stringify(value)} ${context.email} ${context.now} ${context.codeAllowedAt} ${context.resetAllowedAt}`,
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})
