import { assign, enqueueActions, fromCallback, fromPromise, sendParent, setup } from 'xstate'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FieldErrors } from '../form/form.events.ts'
import { isShownByForm } from '../form/refused-fields.ts'
import { notProvided } from '../not-provided.ts'
import { raiseToast } from '../notifications/toast.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import { allFields, fieldErrors, isComplete, missing, type RecoveryValues } from './recovery-values.ts'

/** `clock.ticked`: the present, every second while a cooldown is shown. */
export type RecoveryEvent =
  | { type: 'recovery.edited'; values: Partial<RecoveryValues> }
  | { type: 'code.requested' }
  | { type: 'reset.submitted' }
  | { type: 'clock.ticked'; at: number }

/** A reply, and when it arrived. */
interface TimedReply {
  reply: Reply<object>
  at: number
}

/** Stored across a reload: the email address of the last request for a code, and when another may be sent. */
export interface Cooldown {
  email: string
  until: number
}

interface Context extends RecoveryValues {
  /** The email addresses of the last requests; the field may be edited while a request is in progress. */
  codeEmail: string
  resetEmail: string
  errors: FieldErrors
  /** The number of failed submissions; after each one the view focuses the first invalid field. */
  failures: number
  /** 0 before the clock was first read. */
  now: number
  /** When the server allows the next request for a code, or to reset the password; 0: at once. */
  codeAllowedAt: number
  resetAllowedAt: number
}

type Answered = { context: Context; event: { output: TimedReply } }
type EmailField = 'codeEmail' | 'resetEmail'

/** Parameters of `handleApiError` after the server refused the request. */
const refusedParams =
  (field: EmailField) =>
  ({ context, event }: Answered) => ({ apiError: apiErrorOf(event.output.reply), email: context[field] })
/** The same after the actor threw. */
const faultParams =
  (field: EmailField) =>
  ({ context }: Pick<Answered, 'context'>) => ({ apiError: unknownApiError, email: context[field] })
/** The address is forgotten, the server's `retry-after` isn't. */
const cooldownAfterReset = ({ context: { codeAllowedAt: until, now } }: { context: Context }) =>
  until > now ? { cooldown: { email: '', until } } : { cooldown: null }

const cooldownParams = ({ context: { codeEmail, codeAllowedAt } }: Answered) => ({
  cooldown: { email: codeEmail, until: codeAllowedAt },
})

/**
 * The page that resets a password by email (docs/behaviour.md §11). Its two regions share the email address. `code` has
 * the server send a code, and another one only after the server's `retry-after`, even if the page is reloaded. `reset`
 * sets a new password with a code and then goes to sign-in. After an error the input stays.
 */
export const recoveryMachine = setup({
  types: { context: {} as Context, events: {} as RecoveryEvent, input: {} as PageInput },
  actors: {
    readCooldown: fromPromise<{ stored: Cooldown | null; at: number }>(notProvided),
    sendCode: fromPromise<TimedReply, { email: string }>(notProvided),
    resetPassword: fromPromise<TimedReply, RecoveryValues>(notProvided),
    clock: fromCallback<RecoveryEvent>(() => undefined),
  },
  actions: {
    /** Null removes the stored one. Provided by the wiring. */
    storeCooldown: (_args, _params: { cooldown: Cooldown | null }) => undefined,
    edit: assign(({ context, event }) => {
      if (event.type !== 'recovery.edited') return {}
      const errors = Object.entries(context.errors).filter(([field]) => !Object.hasOwn(event.values, field))
      return { ...event.values, errors: Object.fromEntries(errors) }
    }),
    tick: assign(({ event }) => (event.type === 'clock.ticked' ? { now: event.at } : {})),
    showMissingEmail: assign(({ context }) => ({
      errors: missing(context, ['email']),
      failures: context.failures + 1,
    })),
    showMissingFields: assign(({ context }) => ({
      errors: missing(context, allFields),
      failures: context.failures + 1,
    })),
    notifySuccess: enqueueActions(({ enqueue, system }, { code, email }: { code: string; email: string }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code, values: { email: email.trim() } })
    }),
    /**
     * The toast of NotFound names the email address; an error of a field appears only there (docs/behaviour.md §14).
     */
    handleApiError: enqueueActions(
      ({ context, enqueue, system }, { apiError, email }: { apiError: ApiError; email: string }) => {
        const errors = fieldErrors(apiError)
        enqueue.assign({ errors, failures: context.failures + 1 })
        if (isShownByForm(apiError) && Object.keys(errors).length > 0) return
        const isUnknown = apiError.code === 'NotFound' || (apiError.code === '' && apiError.status === 404)
        const code = isUnknown ? 'userNotFound' : apiError.code
        raiseToast({ enqueue, system }, { tone: 'error', code, values: { email: email.trim() } })
      },
    ),
    goToSignIn: sendParent({ type: 'navigation.requested', href: '/auth?recover=1' }),
  },
  guards: {
    isOk: (_, { reply }: { reply: Reply<unknown> }) => reply.ok,
    hasEmail: ({ context }) => isComplete(context, ['email']),
    isComplete: ({ context }) => isComplete(context, allFields),
    hasToWaitForCode: ({ context }) => context.codeAllowedAt > context.now,
    hasToWaitForReset: ({ context }) => context.resetAllowedAt > context.now,
    canRequestCode: ({ context }) => context.codeAllowedAt <= context.now,
    canReset: ({ context }) => context.resetAllowedAt <= context.now,
  },
}).createMachine({
  id: 'recovery',
  type: 'parallel',
  context: {
    email: '',
    codeEmail: '',
    resetEmail: '',
    code: '',
    password: '',
    errors: {},
    failures: 0,
    now: 0,
    codeAllowedAt: 0,
    resetAllowedAt: 0,
  },
  on: { 'recovery.edited': { actions: 'edit' } },
  states: {
    code: {
      initial: 'restoring',
      states: {
        restoring: {
          invoke: {
            id: 'readCooldown',
            src: 'readCooldown',
            onDone: {
              target: 'ready',
              actions: assign(({ context, event: { output } }) => ({
                now: output.at,
                email: context.email || (output.stored?.email ?? ''),
                codeAllowedAt: output.stored?.until ?? 0,
              })),
            },
            onError: 'ready',
          },
        },
        ready: {
          always: { guard: 'hasToWaitForCode', target: 'coolingDown' },
          on: { 'code.requested': [{ guard: 'hasEmail', target: 'sending' }, { actions: 'showMissingEmail' }] },
        },
        sending: {
          tags: 'busy',
          entry: assign({ codeEmail: ({ context }) => context.email }),
          invoke: {
            id: 'sendCode',
            src: 'sendCode',
            input: ({ context }) => ({ email: context.codeEmail.trim() }),
            onDone: [
              {
                guard: { type: 'isOk', params: ({ event }) => event.output },
                target: 'ready',
                actions: [
                  assign(({ event }) => ({ now: event.output.at, codeAllowedAt: retryAt(event.output), errors: {} })),
                  { type: 'storeCooldown', params: cooldownParams },
                  { type: 'notifySuccess', params: ({ context }) => ({ code: 'codeSent', email: context.codeEmail }) },
                ],
              },
              {
                target: 'ready',
                actions: [
                  assign(({ event }) => ({ now: event.output.at, codeAllowedAt: retryAt(event.output) })),
                  { type: 'storeCooldown', params: cooldownParams },
                  { type: 'handleApiError', params: refusedParams('codeEmail') },
                ],
              },
            ],
            onError: { target: 'ready', actions: { type: 'handleApiError', params: faultParams('codeEmail') } },
          },
        },
        coolingDown: {
          invoke: { id: 'codeClock', src: 'clock' },
          always: { guard: 'canRequestCode', target: 'ready' },
          on: { 'clock.ticked': { actions: 'tick' } },
        },
      },
    },
    reset: {
      initial: 'ready',
      states: {
        ready: {
          always: { guard: 'hasToWaitForReset', target: 'coolingDown' },
          on: { 'reset.submitted': [{ guard: 'isComplete', target: 'submitting' }, { actions: 'showMissingFields' }] },
        },
        submitting: {
          tags: 'busy',
          entry: assign({ resetEmail: ({ context }) => context.email }),
          invoke: {
            id: 'resetPassword',
            src: 'resetPassword',
            input: ({ context: { email, code, password } }) => ({ email: email.trim(), code: code.trim(), password }),
            onDone: [
              {
                guard: { type: 'isOk', params: ({ event }) => event.output },
                target: 'done',
                actions: [
                  { type: 'storeCooldown', params: cooldownAfterReset },
                  {
                    type: 'notifySuccess',
                    params: ({ context }) => ({ code: 'passwordChanged', email: context.resetEmail }),
                  },
                  'goToSignIn',
                ],
              },
              {
                target: 'ready',
                actions: [
                  assign(({ event }) => ({ now: event.output.at, resetAllowedAt: retryAt(event.output) })),
                  { type: 'handleApiError', params: refusedParams('resetEmail') },
                ],
              },
            ],
            onError: { target: 'ready', actions: { type: 'handleApiError', params: faultParams('resetEmail') } },
          },
        },
        coolingDown: {
          invoke: { id: 'resetClock', src: 'clock' },
          always: { guard: 'canReset', target: 'ready' },
          on: { 'clock.ticked': { actions: 'tick' } },
        },
        done: {},
      },
    },
  },
})

/** When the server allows the next request; 0: at once. */
function retryAt({ reply, at }: TimedReply): number {
  const seconds = reply.ok ? reply.retryAfterSeconds : reply.apiError.retryAfterSeconds
  return seconds === null ? 0 : at + seconds * 1000
}

export const secondsUntil = (moment: number, now: number): number => Math.max(0, Math.ceil((moment - now) / 1000))
