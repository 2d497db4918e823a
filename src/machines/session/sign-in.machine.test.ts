import { createActor, fromPromise, setup, SimulatedClock } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { PasskeyResult } from '../../api/browser/passkeys.ts'
import type { Assertion, PasskeyRequestOptions } from '../../api/contract/passkeys.ts'
import type { Reply } from '../../api/reply.ts'
import { configurationOf, noAnswer, ok, refused, settingsOf } from '../../../tests/fixtures/replies.ts'
import { never } from '../../../tests/machines/console.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { PageInput } from '../app/app.events.ts'
import { notificationsMachine } from '../notifications/notifications.machine.ts'
import type { SignInEvent } from './sign-in.events.ts'
import { signInMachine } from './sign-in.machine.ts'

/** Of the context, until somebody signs in with a passkey, and before the server refuses a field. */
const untouched = { request: null, assertion: null, errors: {} }

type Answer = Reply<{ mustChangePassword: boolean }>

const inputOf = (settings: object = {}, search = ''): PageInput => ({
  params: {},
  address: { pathname: '/auth', search, hash: '' },
  settings: settingsOf(settings),
  configuration: configurationOf(),
  user: null,
})

const waiting = (seconds: number): Answer => {
  const reply = refused(429, 'TooManyRequests')
  return reply.ok ? reply : { ok: false, apiError: { ...reply.apiError, retryAfterSeconds: seconds } }
}

const request: PasskeyRequestOptions = { challenge: 'AA', rpId: 'localhost', timeout: 1, userVerification: 'required' }
const assertion: Assertion = {
  id: 'AA',
  response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
}
const failed = (reason: 'cancelled' | 'failed') => ({ ok: false, reason }) as const

interface PasskeyAnswers {
  begin?: () => Reply<PasskeyRequestOptions> | Promise<Reply<PasskeyRequestOptions>>
  use?: () => PasskeyResult<Assertion> | Promise<PasskeyResult<Assertion>>
  verify?: () => Answer | Promise<Answer>
}

function startPasskey({
  begin = () => ok(request),
  use = () => ({ ok: true, value: assertion }),
  verify = () => ok({ mustChangePassword: false }),
}: PasskeyAnswers) {
  const sent: unknown[] = []
  const started = start(
    () => ok({ mustChangePassword: false }),
    inputOf(),
    signInMachine.provide({
      actors: {
        beginPasskey: fromPromise(async () => begin()),
        choosePasskey: fromPromise(async ({ input }) => {
          sent.push(input)
          return use()
        }),
        verifyPasskey: fromPromise(async ({ input }) => {
          sent.push(input)
          return verify()
        }),
      },
    }),
  )
  return { ...started, sent }
}

function start(answer: () => Answer | Promise<Answer>, input = inputOf(), machine = signInMachine) {
  const clock = new SimulatedClock()
  const bodies: unknown[] = []
  const received: unknown[] = []
  const child = machine.provide({
    actors: {
      signIn: fromPromise(async ({ input: body }) => {
        bodies.push(body)
        return answer()
      }),
    },
  })
  const parent = setup({ actors: { child, notifications: notificationsMachine } }).createMachine({
    invoke: [
      { id: 'notifications', systemId: 'notifications', src: 'notifications' },
      { id: 'page', src: 'child', input: () => input },
    ],
    on: { '*': { actions: ({ event }) => received.push(event) } },
  })
  const actor = createActor(parent, { clock }).start()
  const { page, notifications } = actor.getSnapshot().children
  if (page === undefined || notifications === undefined) throw new Error('not started')
  const send = async (...events: SignInEvent[]) => {
    for (const event of events) page.send(event)
    await settle()
  }
  return {
    clock,
    bodies,
    received,
    send,
    submit: (login: string, password: string) =>
      send({ type: 'credentials.edited', login, password }, { type: 'credentials.submitted' }),
    value: () => page.getSnapshot().value,
    context: () => page.getSnapshot().context,
    toasts: () => notifications.getSnapshot().context.shown.map(({ code }) => code),
  }
}

describe('signing in (docs/behaviour.md §11)', () => {
  test('sends name and password, and notifies the root whether the password must be changed', async () => {
    const { submit, bodies, received, value } = start(() => ok({ mustChangePassword: true }))
    await submit(' ann ', ' secret ')
    expect({ bodies, received, value: value() }).toEqual({
      bodies: [{ name: 'ann', password: ' secret ' }],
      received: [{ type: 'session.opened', mustChangePassword: true }],
      value: 'entering',
    })
  })

  test.each([
    ['', []],
    ['AuthorizationRequired', ['AuthorizationRequired']],
  ])("is open for another try at once where the user can't be fetched: %o", async (code, codes) => {
    const { submit, send, value, context, toasts } = start(() => ok({ mustChangePassword: false }))
    await submit('ann', 'secret')
    expect(value()).toBe('entering')
    await send({ type: 'session.refused', code })
    expect([value(), context().login, context().password, toasts()]).toEqual(['editing', 'ann', 'secret', codes])
  })

  test('a wrong password shows a toast, and the input stays', async () => {
    const { submit, toasts, context, value } = start(() => refused(401, 'AuthorizationFailed'))
    await submit('ann', 'wrong')
    expect({ toasts: toasts(), value: value(), context: context() }).toEqual({
      toasts: ['AuthorizationFailed'],
      value: 'editing',
      context: { login: 'ann', password: 'wrong', code: '', isReset: false, secondsLeft: 0, failures: 1, ...untouched },
    })
  })

  test('what a ValidationError says of another path is a toast', async () => {
    const { submit, toasts, context } = start(() => ({
      ok: false,
      apiError: { ...noAnswer, status: 400, code: 'ValidationError', details: { name: 'Too long', device: 'Unknown' } },
    }))
    await submit('ann', 'secret')
    expect([toasts(), context().errors]).toEqual([['ValidationError'], {}])
  })

  test('an expired initial password has its own message', async () => {
    const reply = refused(401, 'AuthorizationFailed')
    const expired = { ...(reply.ok ? noAnswer : reply.apiError), details: { reason: 'initialPasswordExpired' } }
    const { submit, toasts, value } = start(() => ({ ok: false, apiError: expired }))
    await submit('ann', 'given')
    expect({ toasts: toasts(), value: value() }).toEqual({ toasts: ['initialPasswordExpired'], value: 'editing' })
  })

  test.each([
    [refused(401, ''), ['AuthorizationFailed']],
    [refused(403, 'Forbidden'), ['Forbidden']],
    [refused(0, 'NoResponse'), ['NoResponse']],
    [refused(500, ''), ['']],
    [refused(423, ''), []],
  ])('%o is reported as %o', async (reply, codes) => {
    const { submit, toasts } = start(() => reply)
    await submit('ann', 'x')
    expect(toasts()).toEqual(codes)
  })

  test('a fault of the console shows a toast, and can be retried', async () => {
    const { submit, toasts, value } = start(() => Promise.reject(new Error('broken')))
    await submit('ann', 'x')
    expect({ toasts: toasts(), value: value() }).toEqual({ toasts: [''], value: 'editing' })
  })

  test('nothing is sent twice while the request is in progress', async () => {
    const { submit, send, bodies } = start(never)
    await submit('ann', 'x')
    await send({ type: 'credentials.submitted' })
    expect(bodies.length).toBe(1)
  })

  test("can be repeated if the user wasn't fetched", async () => {
    const { submit, clock, value } = start(() => ok({ mustChangePassword: false }))
    await submit('ann', 'x')
    clock.increment(10_000)
    expect(value()).toBe('editing')
  })
})

describe('what is missing', () => {
  test.each([
    ['', 'x'],
    ['ann', ''],
    ['  ', 'x'],
  ])('%o and %o are not sent', async (login, password) => {
    const { submit, bodies, value } = start(() => ok({ mustChangePassword: false }))
    await submit(login, password)
    expect({ bodies, value: value() }).toEqual({ bodies: [], value: 'incomplete' })
  })

  test('the complete form is sent', async () => {
    const { submit, send, bodies, value } = start(never)
    await submit('ann', '')
    await send({ type: 'credentials.submitted' })
    expect(value()).toBe('incomplete')
    await send({ type: 'credentials.edited', password: 'x' }, { type: 'credentials.submitted' })
    expect({ bodies, value: value() }).toEqual({ bodies: [{ name: 'ann', password: 'x' }], value: 'submitting' })
  })
})

describe('a server that asks to wait (docs/wire.md §2)', () => {
  test('is waited for, second by second, while typing is possible', async () => {
    const { submit, send, clock, context, value, bodies } = start(() => waiting(1.2))
    await submit('ann', 'x')
    expect({ value: value(), left: context().secondsLeft }).toEqual({ value: 'coolingDown', left: 2 })
    await send({ type: 'credentials.submitted' }, { type: 'credentials.edited', password: 'y' })
    clock.increment(1000)
    expect({ value: value(), left: context().secondsLeft, password: context().password, sent: bodies.length }).toEqual({
      value: 'coolingDown',
      left: 1,
      password: 'y',
      sent: 1,
    })
    clock.increment(1000)
    expect(value()).toBe('editing')
  })
})

describe('a second factor (docs/behaviour.md §11)', () => {
  const asked = refused(401, 'SecondFactorRequired')
  const typed = { name: 'ann', password: ' secret ' }

  test("is requested in a second step, which sends it with the first step's input", async () => {
    const answers = [asked, ok({ mustChangePassword: false })]
    const { submit, send, bodies, received, value, toasts, context } = start(() => answers.shift() ?? asked)
    await submit('ann', ' secret ')
    expect({ value: value(), toasts: toasts(), context: context() }).toEqual({
      value: { code: 'editing' },
      toasts: [],
      context: {
        login: 'ann',
        password: ' secret ',
        code: '',
        isReset: false,
        secondsLeft: 0,
        failures: 1,
        ...untouched,
      },
    })
    await send({ type: 'credentials.edited', code: '123 456 ' }, { type: 'credentials.submitted' })
    expect({ bodies, value: value(), received }).toEqual({
      bodies: [typed, { ...typed, code: '123 456' }],
      value: 'entering',
      received: [{ type: 'session.opened', mustChangePassword: false }],
    })
  })

  test.each([
    refused(401, 'SecondFactorRequired'),
    refused(401, 'AuthorizationFailed'),
    refused(400, 'ValidationError'),
  ])('a wrong code is reported beside the field, not in a toast: %o', async (answer) => {
    const answers = [asked, answer]
    const { submit, send, value, toasts, context } = start(() => answers.shift() ?? asked)
    await submit('ann', 'x')
    await send({ type: 'credentials.edited', code: '000000' }, { type: 'credentials.submitted' })
    expect({ value: value(), toasts: toasts(), code: context().code, errors: context().failures }).toEqual({
      value: { code: 'rejected' },
      toasts: [],
      code: '000000',
      errors: 2,
    })
    await send({ type: 'credentials.edited', code: '1' })
    expect(value()).toEqual({ code: 'editing' })
  })

  test('no code is not sent', async () => {
    const { submit, send, bodies, value } = start(() => asked)
    await submit('ann', 'x')
    await send({ type: 'credentials.submitted' }, { type: 'credentials.submitted' })
    expect({ bodies: bodies.length, value: value() }).toEqual({ bodies: 1, value: { code: 'rejected' } })
  })

  test('a server that asks to wait is waited for in this step too', async () => {
    const answers = [asked, waiting(2)]
    const { submit, send, clock, context, value, toasts } = start(() => answers.shift() ?? asked)
    await submit('ann', 'x')
    await send({ type: 'credentials.edited', code: '000000' }, { type: 'credentials.submitted' })
    expect({ value: value(), left: context().secondsLeft, toasts: toasts() }).toEqual({
      value: { code: 'coolingDown' },
      left: 2,
      toasts: ['TooManyRequests'],
    })
    clock.increment(1000)
    clock.increment(1000)
    expect(value()).toEqual({ code: 'editing' })
  })

  test('leads back to the password, which then goes without the code', async () => {
    const { submit, send, bodies, value, context } = start(() => asked)
    await submit('ann', 'x')
    await send({ type: 'credentials.edited', code: '000000' }, { type: 'password.requested' })
    expect({ value: value(), context: context() }).toMatchObject({
      value: 'editing',
      context: { login: 'ann', password: 'x', code: '' },
    })
    await send({ type: 'credentials.submitted' })
    expect(bodies).toEqual([
      { name: 'ann', password: 'x' },
      { name: 'ann', password: 'x' },
    ])
  })
})

describe('a passkey (docs/behaviour.md §11)', () => {
  const press = { type: 'passkey.requested' } as const

  test('is asked of the server, then of the browser, and signs in without login and password', async () => {
    const { send, sent, received, value, context } = startPasskey({})
    await send(press)
    expect({ sent, received, value: value(), toasts: context().failures }).toEqual({
      sent: [request, assertion],
      received: [{ type: 'session.opened', mustChangePassword: false }],
      value: 'entering',
      toasts: 0,
    })
  })

  test.each([
    ['the server', { begin: never }, 'asking'],
    ['the browser', { use: never }, 'choosing'],
    ['the server again', { verify: never }, 'verifying'],
  ] as const)('while %s is waited for, the password can be sent instead', async (_name, slow, step) => {
    const { send, value, bodies } = startPasskey(slow)
    await send(press)
    expect(value()).toEqual({ passkey: step })
    await send({ type: 'credentials.edited', login: 'ann', password: 'x' }, { type: 'credentials.submitted' })
    expect({ value: value(), bodies }).toEqual({ value: 'entering', bodies: [{ name: 'ann', password: 'x' }] })
  })

  test('a user who cancels is told nothing', async () => {
    const { send, value, toasts, context } = startPasskey({ use: () => failed('cancelled') })
    await send(press)
    expect({ value: value(), toasts: toasts(), failures: context().failures }).toEqual({
      value: 'editing',
      toasts: [],
      failures: 0,
    })
  })

  test.each([
    [{ begin: () => refused(0, 'NoResponse') }, 'NoResponse'],
    [{ begin: () => Promise.reject(new Error('the chunk is gone')) }, ''],
    [{ use: () => failed('failed') }, 'passkeyRejected'],
    [{ verify: () => refused(401, 'AuthorizationFailed') }, 'passkeyRejected'],
    [{ verify: () => refused(400, 'ValidationError') }, 'passkeyRejected'],
    [{ verify: () => refused(500, 'InternalServerError') }, 'InternalServerError'],
  ])('what goes wrong is said: %o', async (answers, code) => {
    const { send, value, toasts } = startPasskey(answers)
    await send(press)
    expect({ value: value(), toasts: toasts() }).toEqual({ value: 'editing', toasts: [code] })
  })

  test('a server that asks to wait is waited for', async () => {
    const { send, value, context } = startPasskey({ verify: () => waiting(30) })
    await send(press)
    expect({ value: value(), left: context().secondsLeft }).toEqual({ value: 'coolingDown', left: 30 })
  })
})

test('the kiosk login is filled in, and the flag of a recovered password is read', () => {
  const { context } = start(
    never,
    inputOf({ kioskPrefillUser: 'wall', kioskPrefillPassword: 'screen' }, '?recover=true'),
  )
  expect(context()).toEqual({
    login: 'wall',
    password: 'screen',
    code: '',
    isReset: true,
    secondsLeft: 0,
    failures: 0,
    ...untouched,
  })
})

test('a kiosk login that comes later is filled in, unless something is typed', async () => {
  const prefilled = { type: 'credentials.prefilled', login: 'wall', password: 'screen' } as const
  const { send, context } = start(never)
  await send(prefilled)
  expect([context().login, context().password]).toEqual(['wall', 'screen'])
  await send({ ...prefilled, login: 'other' })
  expect(context().login).toBe('wall')
  const typing = start(never)
  await typing.send({ type: 'credentials.edited', login: 'a' }, prefilled)
  expect([typing.context().login, typing.context().password]).toEqual(['a', ''])
})

test('every edge of the chart is walked', () => {
  const own = {
    'credentials.edited': [
      { type: 'credentials.edited', login: 'ann', password: 'x' },
      { type: 'credentials.edited', code: '123456' },
    ],
    'credentials.submitted': [{ type: 'credentials.submitted' }],
    'credentials.prefilled': [{ type: 'credentials.prefilled', login: 'wall', password: 'screen' }],
    'password.requested': [{ type: 'password.requested' }],
    'passkey.requested': [{ type: 'passkey.requested' }],
    'session.refused': [{ type: 'session.refused', code: '' }],
  } satisfies { [Type in SignInEvent['type']]: Extract<SignInEvent, { type: Type }>[] }
  const walked = walkEdges(signInMachine, {
    model: signInMachine.provide({ actions: { notifyOpened: () => undefined } }),
    input: inputOf(),
    events: [
      ...Object.values(own).flat(),
      ...[
        ok({ mustChangePassword: false }),
        refused(401, 'AuthorizationFailed'),
        refused(401, 'SecondFactorRequired'),
        waiting(2),
      ].map((output) => ({ type: 'xstate.done.actor.signIn', output })),
      { type: 'xstate.error.actor.signIn', error: new Error('broken') },
      ...[ok(request), refused(500, '')].map((output) => ({ type: 'xstate.done.actor.beginPasskey', output })),
      ...[{ ok: true, value: assertion }, failed('cancelled'), failed('failed')].map((output) => ({
        type: 'xstate.done.actor.choosePasskey',
        output,
      })),
      ...[ok({ mustChangePassword: false }), refused(401, 'AuthorizationFailed')].map((output) => ({
        type: 'xstate.done.actor.verifyPasskey',
        output,
      })),
      ...['beginPasskey', 'choosePasskey', 'verifyPasskey'].map((actor) => ({
        type: `xstate.error.actor.${actor}`,
        error: new Error('broken'),
      })),
      { type: 'xstate.after.second.signIn.coolingDown' },
      { type: 'xstate.after.second.signIn.code.coolingDown' },
      { type: 'xstate.after.timeout.signIn.entering' },
    ],
    name: ({ value, context }) => JSON.stringify([value, context['login'], context['code'], context['secondsLeft']]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
