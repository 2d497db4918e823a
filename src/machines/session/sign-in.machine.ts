import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { PasskeyResult } from '../../api/browser/passkeys.ts'
import type { Assertion, PasskeyRequestOptions } from '../../api/contract/passkeys.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { errorsBeside } from '../form/refused-fields.ts'
import { notProvided } from '../not-provided.ts'
import { raiseToast } from '../notifications/toast.ts'
import { apiErrorOf, handleFault, handleRefusal, unknownApiError } from '../api-errors.ts'
import { signInErrors, toastCode } from './sign-in-errors.ts'
import type { Answer, Credentials, SignInContext, SignInEvent } from './sign-in.events.ts'

type Replied = { event: { output: Reply<Answer> } }

const signInSetup = setup({
  types: { context: {} as SignInContext, events: {} as SignInEvent, input: {} as PageInput },
  actors: {
    signIn: fromPromise<Reply<Answer>, Credentials>(notProvided),
    beginPasskey: fromPromise<Reply<PasskeyRequestOptions>>(notProvided),
    choosePasskey: fromPromise<PasskeyResult<Assertion>, PasskeyRequestOptions | null>(notProvided),
    verifyPasskey: fromPromise<Reply<Answer>, Assertion | null>(notProvided),
  },
  actions: {
    edit: assign(({ context, event }) => {
      if (event.type !== 'credentials.edited') return {}
      const { login = context.login, password = context.password, code = context.code } = event
      return { login, password, code, errors: errorsBeside(event, context.errors) }
    }),
    forgetCode: assign({ code: '' }),
    prefill: assign((_, { login, password }: { login: string; password: string }) => ({ login, password })),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    countDown: assign({ secondsLeft: ({ context }) => context.secondsLeft - 1 }),
    /** Provided by the wiring: loads the code of the page after sign-in. */
    preload: (_args, _params: unknown) => undefined,
    notifyOpened: sendParent((_args, { mustChangePassword }: { mustChangePassword: boolean }) => ({
      type: 'session.opened',
      mustChangePassword,
    })),
    raiseErrorCode: enqueueActions((machine, { code }: { code: string }) => {
      if (code !== '') raiseToast(machine, { tone: 'error', code })
    }),
    /** After a 423 the root machine opens server initialization, without a toast. */
    handleApiError: enqueueActions(({ context, enqueue, system }, { apiError }: { apiError: ApiError }) => {
      const errors = signInErrors(apiError)
      const secondsLeft = Math.ceil(apiError.retryAfterSeconds ?? 0)
      enqueue.assign({ failures: context.failures + 1, secondsLeft, errors: errors ?? {} })
      if (apiError.status === 423 || errors !== null) return
      raiseToast({ enqueue, system }, { tone: 'error', code: toastCode(apiError) })
    }),
  },
  guards: {
    hasToWait: ({ context }) => context.secondsLeft > 0,
    hasWaited: ({ context }) => context.secondsLeft <= 0,
    isComplete: ({ context }) => context.login.trim() !== '' && context.password !== '',
    isUntouched: ({ context }) => context.login === '' && context.password === '',
    hasCode: ({ context }) => context.code.trim() !== '',
    isOk: (_, { reply }: { reply: { ok: boolean } }) => reply.ok,
    isCancelled: (_, { result }: { result: PasskeyResult<unknown> }) => !result.ok && result.reason === 'cancelled',
    isCodeRequired: (_, { reply }: { reply: Reply<Answer> }) => apiErrorOf(reply).code === 'SecondFactorRequired',
    /** At this step the server has accepted the password before, so the code is wrong. */
    isCodeWrong: (_, { reply }: { reply: Reply<Answer> }) => [400, 401].includes(apiErrorOf(reply).status),
  },
  /** `timeout`: for the root machine to fetch the user and leave this page; then the form is enabled again. */
  delays: { second: 1000, timeout: 10_000 },
})

const coolingDown = signInSetup.createStateConfig({
  always: { guard: 'hasWaited', target: 'editing' },
  after: { second: { target: 'coolingDown', reenter: true, actions: 'countDown' } },
})

const replyOf = ({ event }: Replied) => ({ reply: event.output })

const enter = {
  target: '#signIn.entering',
  actions: {
    type: 'notifyOpened',
    params: ({ event: { output } }: Replied) => ({ mustChangePassword: output.ok && output.value.mustChangePassword }),
  },
} as const

/** `guard`: whether the reply leads to `target`; after other refusals the same step is edited again. */
const submitting = (guard: 'isCodeRequired' | 'isCodeWrong', target: string) =>
  signInSetup.createStateConfig({
    tags: 'busy',
    invoke: {
      id: 'signIn',
      src: 'signIn',
      input: ({ context: { login, password, code } }) => ({
        name: login.trim(),
        password,
        ...(code === '' ? {} : { code: code.trim() }),
      }),
      onDone: [
        { guard: { type: 'isOk', params: replyOf }, ...enter },
        { guard: { type: guard, params: replyOf }, target, actions: 'countFailure' },
        { target: 'editing', actions: handleRefusal },
      ],
      onError: { target: 'editing', actions: handleFault },
    },
  })

const passkeyRejected = { ...unknownApiError, code: 'passkeyRejected' }

/** Login and password weren't used, so the toast for wrong ones doesn't fit. */
function passkeyErrorOf(reply: Reply<Answer>): ApiError {
  const apiError = apiErrorOf(reply)
  return [400, 401].includes(apiError.status) ? { ...apiError, code: passkeyRejected.code } : apiError
}

const onSubmit = {
  'credentials.submitted': [{ guard: 'isComplete', target: '#signIn.submitting' }, { target: '#signIn.incomplete' }],
} as const

const reopenForm = { target: 'editing', actions: 'forgetCode' } as const
const onPasskey = { 'passkey.requested': { target: '#signIn.passkey', actions: 'preload' } } as const

const passkey = signInSetup.createStateConfig({
  initial: 'asking',
  on: onSubmit,
  states: {
    asking: {
      invoke: {
        id: 'beginPasskey',
        src: 'beginPasskey',
        onDone: [
          {
            guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
            target: 'choosing',
            actions: assign({ request: ({ event }) => (event.output.ok ? event.output.value : null) }),
          },
          { target: '#signIn.editing', actions: handleRefusal },
        ],
        onError: { target: '#signIn.editing', actions: handleFault },
      },
    },
    choosing: {
      invoke: {
        id: 'choosePasskey',
        src: 'choosePasskey',
        input: ({ context }) => context.request,
        onDone: [
          {
            guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
            target: 'verifying',
            actions: assign({ assertion: ({ event }) => (event.output.ok ? event.output.value : null) }),
          },
          {
            guard: { type: 'isCancelled', params: ({ event }) => ({ result: event.output }) },
            target: '#signIn.editing',
          },
          { target: '#signIn.editing', actions: { type: 'handleApiError', params: { apiError: passkeyRejected } } },
        ],
        onError: { target: '#signIn.editing', actions: handleFault },
      },
    },
    verifying: {
      invoke: {
        id: 'verifyPasskey',
        src: 'verifyPasskey',
        input: ({ context }) => context.assertion,
        onDone: [
          { guard: { type: 'isOk', params: replyOf }, ...enter },
          {
            target: '#signIn.editing',
            actions: { type: 'handleApiError', params: ({ event }) => ({ apiError: passkeyErrorOf(event.output) }) },
          },
        ],
        onError: { target: '#signIn.editing', actions: handleFault },
      },
    },
  },
})

/**
 * Signing in (docs/behaviour.md §11): a form; on success (`entering`) the root machine fetches the user and redirects.
 * A wrong password keeps the login; a retry-after is counted down. If the server requires a second factor, `code` is
 * the second step, which sends login, password and code. `passkey` signs in without a password: it asks the server for
 * a challenge, waits for the browser and sends the answer; submitting the form meanwhile cancels it.
 */
export const signInMachine = signInSetup.createMachine({
  id: 'signIn',
  context: ({ input }) => ({
    login: input.settings.kioskPrefillUser,
    password: input.settings.kioskPrefillPassword,
    code: '',
    isReset: new URLSearchParams(input.address.search).has('recover'),
    errors: {},
    secondsLeft: 0,
    failures: 0,
    request: null,
    assertion: null,
  }),
  initial: 'editing',
  on: {
    'credentials.edited': { actions: ['edit', 'preload'] },
    'credentials.prefilled': { guard: 'isUntouched', actions: { type: 'prefill', params: ({ event }) => event } },
  },
  states: {
    editing: {
      always: { guard: 'hasToWait', target: 'coolingDown' },
      on: { ...onSubmit, ...onPasskey },
    },
    incomplete: {
      on: {
        'credentials.edited': { target: 'editing', actions: ['edit', 'preload'] },
        'credentials.prefilled': {
          guard: 'isUntouched',
          target: 'editing',
          actions: { type: 'prefill', params: ({ event }) => event },
        },
        ...onPasskey,
      },
    },
    passkey,
    submitting: submitting('isCodeRequired', 'code'),
    coolingDown,
    code: {
      initial: 'editing',
      on: { 'password.requested': { target: 'editing', actions: 'forgetCode' } },
      states: {
        editing: {
          always: { guard: 'hasToWait', target: 'coolingDown' },
          on: { 'credentials.submitted': [{ guard: 'hasCode', target: 'submitting' }, { target: 'rejected' }] },
        },
        rejected: {
          on: {
            'credentials.edited': { target: 'editing', actions: 'edit' },
            'credentials.submitted': { guard: 'hasCode', target: 'submitting' },
          },
        },
        submitting: submitting('isCodeWrong', 'rejected'),
        coolingDown,
      },
    },
    entering: {
      tags: 'busy',
      on: {
        'session.refused': {
          target: 'editing',
          actions: ['forgetCode', { type: 'raiseErrorCode', params: ({ event }) => event }],
        },
      },
      after: { timeout: reopenForm },
    },
  },
})
