import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import { raiseToast } from '../notifications/toast.ts'
import { takeFault, takeRefusal } from '../api-errors.ts'

export type SignInEvent =
  | { type: 'credentials.edited'; login?: string; password?: string }
  | { type: 'credentials.submitted' }

interface Context {
  login: string
  password: string
  isReset: boolean
  secondsLeft: number
  /** Counts the errors, so that the view can move the focus to the password. */
  apiErrors: number
}

/**
 * Signing in (docs/behaviour.md §11): a form; on success the root machine fetches the user and redirects. A wrong
 * password keeps the login; a retry-after is counted down.
 */
export const signInMachine = setup({
  types: { context: {} as Context, events: {} as SignInEvent, input: {} as PageInput },
  actors: {
    signIn: fromPromise<Reply<{ mustChangePassword: boolean }>, { name: string; password: string }>(notProvided),
  },
  actions: {
    edit: assign(({ context, event }) =>
      event.type === 'credentials.edited'
        ? { login: event.login ?? context.login, password: event.password ?? context.password }
        : {},
    ),
    countDown: assign({ secondsLeft: ({ context }) => context.secondsLeft - 1 }),
    /** What comes after signing in may be fetched. */
    prepare: (_args, _params: unknown) => undefined,
    tellOpened: sendParent((_args, { mustChangePassword }: { mustChangePassword: boolean }) => ({
      type: 'session.opened',
      mustChangePassword,
    })),
    takeApiError: enqueueActions(({ context, enqueue, system }, { apiError }: { apiError: ApiError }) => {
      enqueue.assign({ apiErrors: context.apiErrors + 1, secondsLeft: Math.ceil(apiError.retryAfterSeconds ?? 0) })
      if (apiError.status === 423) return
      const code = apiError.status === 401 ? apiError.code || 'AuthorizationFailed' : apiError.code
      raiseToast({ enqueue, system }, { tone: 'error', code })
    }),
  },
  guards: {
    hasToWait: ({ context }) => context.secondsLeft > 0,
    hasWaited: ({ context }) => context.secondsLeft <= 0,
    isComplete: ({ context }) => context.login.trim() !== '' && context.password !== '',
  },
  delays: { second: 1000, timeout: 10_000 },
}).createMachine({
  id: 'signIn',
  context: ({ input }) => ({
    login: input.settings.kioskPrefillUser,
    password: input.settings.kioskPrefillPassword,
    isReset: new URLSearchParams(input.address.search).has('recover'),
    secondsLeft: 0,
    apiErrors: 0,
  }),
  initial: 'editing',
  on: { 'credentials.edited': { actions: ['edit', 'prepare'] } },
  states: {
    editing: {
      always: { guard: 'hasToWait', target: 'coolingDown' },
      on: { 'credentials.submitted': [{ guard: 'isComplete', target: 'submitting' }, { target: 'incomplete' }] },
    },
    incomplete: { on: { 'credentials.edited': { target: 'editing', actions: ['edit', 'prepare'] } } },
    submitting: {
      tags: 'busy',
      invoke: {
        id: 'signIn',
        src: 'signIn',
        input: ({ context }) => ({ name: context.login.trim(), password: context.password }),
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'entering',
            actions: {
              type: 'tellOpened',
              params: ({ event }) => ({ mustChangePassword: event.output.ok && event.output.value.mustChangePassword }),
            },
          },
          {
            target: 'editing',
            actions: takeRefusal,
          },
        ],
        onError: { target: 'editing', actions: takeFault },
      },
    },
    entering: { tags: 'busy', after: { timeout: 'editing' } },
    coolingDown: {
      always: { guard: 'hasWaited', target: 'editing' },
      after: {
        second: { target: 'coolingDown', reenter: true, actions: 'countDown' },
      },
    },
  },
})
