import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import { raiseToast } from '../notifications/toast.ts'
import { apiErrorOf, handleFault, handleRefusal } from '../api-errors.ts'

export type SignInEvent =
  | { type: 'credentials.edited'; login?: string; password?: string; code?: string }
  | { type: 'credentials.submitted' }
  | { type: 'password.requested' }

type Answer = { mustChangePassword: boolean }
type Credentials = { name: string; password: string; code?: string }

type Output = { reply: Reply<Answer> }

interface Context {
  login: string
  password: string
  /** Of the second factor; '' until the server requires it. */
  code: string
  /** The password has just been reset, which the page says. */
  isReset: boolean
  /** Until the server's `Retry-After` has passed. */
  secondsLeft: number
  /** Counts failed attempts, after each of which the view focuses the password or the code. */
  failures: number
}

function toastCode({ status, code, details }: ApiError): string {
  if (details['reason'] === 'initialPasswordExpired') return 'initialPasswordExpired'
  return code === '' && status === 401 ? 'AuthorizationFailed' : code
}

const signInSetup = setup({
  types: { context: {} as Context, events: {} as SignInEvent, input: {} as PageInput },
  actors: {
    signIn: fromPromise<Reply<Answer>, Credentials>(notProvided),
  },
  actions: {
    edit: assign(({ context, event }) =>
      event.type === 'credentials.edited'
        ? {
            login: event.login ?? context.login,
            password: event.password ?? context.password,
            code: event.code ?? context.code,
          }
        : {},
    ),
    forgetCode: assign({ code: '' }),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    countDown: assign({ secondsLeft: ({ context }) => context.secondsLeft - 1 }),
    /** Provided by the wiring: loads the code of the page after sign-in. */
    preload: (_args, _params: unknown) => undefined,
    notifyOpened: sendParent((_args, { mustChangePassword }: { mustChangePassword: boolean }) => ({
      type: 'session.opened',
      mustChangePassword,
    })),
    handleApiError: enqueueActions(({ context, enqueue, system }, { apiError }: { apiError: ApiError }) => {
      enqueue.assign({ failures: context.failures + 1, secondsLeft: Math.ceil(apiError.retryAfterSeconds ?? 0) })
      if (apiError.status === 423) return
      raiseToast({ enqueue, system }, { tone: 'error', code: toastCode(apiError) })
    }),
  },
  guards: {
    hasToWait: ({ context }) => context.secondsLeft > 0,
    hasWaited: ({ context }) => context.secondsLeft <= 0,
    isComplete: ({ context }) => context.login.trim() !== '' && context.password !== '',
    hasCode: ({ context }) => context.code.trim() !== '',
    isOk: (_, { reply }: Output) => reply.ok,
    isCodeRequired: (_, { reply }: Output) => apiErrorOf(reply).code === 'SecondFactorRequired',
    /** The password was accepted before, so the code is wrong. */
    isCodeWrong: (_, { reply }: Output) => [400, 401].includes(apiErrorOf(reply).status),
  },
  delays: { second: 1000, timeout: 10_000 },
})

const coolingDown = signInSetup.createStateConfig({
  always: { guard: 'hasWaited', target: 'editing' },
  after: { second: { target: 'coolingDown', reenter: true, actions: 'countDown' } },
})

const outputOf = ({ event }: { event: { output: Reply<Answer> } }): Output => ({ reply: event.output })

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
        {
          guard: { type: 'isOk', params: outputOf },
          target: '#signIn.entering',
          actions: {
            type: 'notifyOpened',
            params: ({ event }) => ({ mustChangePassword: event.output.ok && event.output.value.mustChangePassword }),
          },
        },
        { guard: { type: guard, params: outputOf }, target, actions: 'countFailure' },
        { target: 'editing', actions: handleRefusal },
      ],
      onError: { target: 'editing', actions: handleFault },
    },
  })

/**
 * Signing in (docs/behaviour.md §11): a form; on success the root machine fetches the user and redirects. A wrong
 * password keeps the login; a retry-after is counted down. Where the server asks for a second factor, `code` is the
 * second step, with the login and password of the first.
 */
export const signInMachine = signInSetup.createMachine({
  id: 'signIn',
  context: ({ input }) => ({
    login: input.settings.kioskPrefillUser,
    password: input.settings.kioskPrefillPassword,
    code: '',
    isReset: new URLSearchParams(input.address.search).has('recover'),
    secondsLeft: 0,
    failures: 0,
  }),
  initial: 'editing',
  on: { 'credentials.edited': { actions: ['edit', 'preload'] } },
  states: {
    editing: {
      always: { guard: 'hasToWait', target: 'coolingDown' },
      on: { 'credentials.submitted': [{ guard: 'isComplete', target: 'submitting' }, { target: 'incomplete' }] },
    },
    incomplete: { on: { 'credentials.edited': { target: 'editing', actions: ['edit', 'preload'] } } },
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
    entering: { tags: 'busy', after: { timeout: { target: 'editing', actions: 'forgetCode' } } },
  },
})
