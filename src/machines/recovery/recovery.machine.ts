import { assign, enqueueActions, fromCallback, fromPromise, sendParent, setup } from 'xstate'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FieldErrors } from '../form/form.events.ts'
import { isOfTheForm, withReason } from '../form/refused-fields.ts'
import { notProvided } from '../not-provided.ts'
import { raiseToast } from '../notifications/toast.ts'
import { apiErrorOf, handleFault } from '../api-errors.ts'

export interface RecoveryValues {
  email: string
  code: string
  password: string
}

export type RecoveryEvent =
  | { type: 'recovery.edited'; values: Partial<RecoveryValues> }
  | { type: 'code.requested' }
  | { type: 'reset.submitted' }
  | { type: 'clock.ticked'; at: number }

interface Timed {
  reply: Reply<object>
  at: number
}

/** What survives a reload: the login that a code was sent to, and until when no other may be sent. */
export interface Cooldown {
  email: string
  until: number
}

interface Context extends RecoveryValues {
  errors: FieldErrors
  apiErrors: number
  /** Epoch milliseconds; 0 before the clock was first read. */
  now: number
  codeAllowedAt: number
  resetAllowedAt: number
}

/**
 * Password reset by mail (docs/behaviour.md §11). Two regions share the address: one sends a code, and another only
 * after the server's retry delay, also across a reload; the other resets the password with a code and leads to sign-in.
 * Neither loses input.
 */
export const recoveryMachine = setup({
  types: { context: {} as Context, events: {} as RecoveryEvent, input: {} as PageInput },
  actors: {
    readCooldown: fromPromise<{ kept: Cooldown | null; at: number }>(notProvided),
    sendCode: fromPromise<Timed, { email: string }>(notProvided),
    resetPassword: fromPromise<Timed, RecoveryValues>(notProvided),
    clock: fromCallback<RecoveryEvent>(() => undefined),
  },
  actions: {
    keepCooldown: (_args, _params: { cooldown: Cooldown | null }) => undefined,
    edit: assign(({ context, event }) => {
      if (event.type !== 'recovery.edited') return {}
      const errors = Object.entries(context.errors).filter(([field]) => !Object.hasOwn(event.values, field))
      return { ...event.values, errors: Object.fromEntries(errors) }
    }),
    tick: assign(({ event }) => (event.type === 'clock.ticked' ? { now: event.at } : {})),
    showMissingEmail: assign(({ context }) => ({
      errors: missing(context, ['email']),
      apiErrors: context.apiErrors + 1,
    })),
    showMissing: assign(({ context }) => ({ errors: missing(context, everything), apiErrors: context.apiErrors + 1 })),
    notifySuccess: enqueueActions(({ context, enqueue, system }, { code }: { code: string }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code, values: { email: context.email.trim() } })
    }),
    /** docs/behaviour.md §14: NotFound names the address; a ValidationError lands beside its field alone. */
    handleApiError: enqueueActions(({ context, enqueue, system }, { apiError }: { apiError: ApiError }) => {
      const errors = fieldErrors(apiError)
      enqueue.assign({ errors, apiErrors: context.apiErrors + 1 })
      if (isOfTheForm(apiError) && Object.keys(errors).length > 0) return
      const code = apiError.code === 'NotFound' ? 'userNotFound' : apiError.code
      raiseToast({ enqueue, system }, { tone: 'error', code, values: { email: context.email.trim() } })
    }),
    goToSignIn: sendParent({ type: 'navigation.requested', href: '/auth?recover=1' }),
  },
  guards: {
    isOk: (_, { reply }: { reply: Reply<unknown> }) => reply.ok,
    hasEmail: ({ context }) => isComplete(context, ['email']),
    isComplete: ({ context }) => isComplete(context, everything),
    hasToWaitForCode: ({ context }) => context.codeAllowedAt > context.now,
    hasToWaitForReset: ({ context }) => context.resetAllowedAt > context.now,
    mayAskForCode: ({ context }) => context.codeAllowedAt <= context.now,
    mayReset: ({ context }) => context.resetAllowedAt <= context.now,
  },
}).createMachine({
  id: 'recovery',
  type: 'parallel',
  context: { email: '', code: '', password: '', errors: {}, apiErrors: 0, now: 0, codeAllowedAt: 0, resetAllowedAt: 0 },
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
                email: context.email || (output.kept?.email ?? ''),
                codeAllowedAt: output.kept?.until ?? 0,
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
          invoke: {
            id: 'sendCode',
            src: 'sendCode',
            input: ({ context }) => ({ email: context.email.trim() }),
            onDone: [
              {
                guard: { type: 'isOk', params: ({ event }) => event.output },
                target: 'ready',
                actions: [
                  assign(({ event }) => ({ now: event.output.at, codeAllowedAt: retryAt(event.output), errors: {} })),
                  {
                    type: 'keepCooldown',
                    params: ({ context }) => ({ cooldown: { email: context.email, until: context.codeAllowedAt } }),
                  },
                  { type: 'notifySuccess', params: { code: 'codeSent' } },
                ],
              },
              {
                target: 'ready',
                actions: [
                  assign(({ event }) => ({ now: event.output.at, codeAllowedAt: retryAt(event.output) })),
                  {
                    type: 'keepCooldown',
                    params: ({ context }) => ({ cooldown: { email: context.email, until: context.codeAllowedAt } }),
                  },
                  { type: 'handleApiError', params: ({ event }) => ({ apiError: apiErrorOf(event.output.reply) }) },
                ],
              },
            ],
            onError: { target: 'ready', actions: handleFault },
          },
        },
        coolingDown: {
          invoke: { id: 'codeClock', src: 'clock' },
          always: { guard: 'mayAskForCode', target: 'ready' },
          on: { 'clock.ticked': { actions: 'tick' } },
        },
      },
    },
    reset: {
      initial: 'ready',
      states: {
        ready: {
          always: { guard: 'hasToWaitForReset', target: 'coolingDown' },
          on: { 'reset.submitted': [{ guard: 'isComplete', target: 'submitting' }, { actions: 'showMissing' }] },
        },
        submitting: {
          tags: 'busy',
          invoke: {
            id: 'resetPassword',
            src: 'resetPassword',
            input: ({ context: { email, code, password } }) => ({ email: email.trim(), code: code.trim(), password }),
            onDone: [
              {
                guard: { type: 'isOk', params: ({ event }) => event.output },
                target: 'done',
                actions: [
                  { type: 'keepCooldown', params: { cooldown: null } },
                  { type: 'notifySuccess', params: { code: 'passwordChanged' } },
                  'goToSignIn',
                ],
              },
              {
                target: 'ready',
                actions: [
                  assign(({ event }) => ({ now: event.output.at, resetAllowedAt: retryAt(event.output) })),
                  { type: 'handleApiError', params: ({ event }) => ({ apiError: apiErrorOf(event.output.reply) }) },
                ],
              },
            ],
            onError: { target: 'ready', actions: handleFault },
          },
        },
        coolingDown: {
          invoke: { id: 'resetClock', src: 'clock' },
          always: { guard: 'mayReset', target: 'ready' },
          on: { 'clock.ticked': { actions: 'tick' } },
        },
        done: {},
      },
    },
  },
})

const everything = ['email', 'code', 'password'] as const
type Field = (typeof everything)[number]

const isComplete = (context: RecoveryValues, fields: readonly Field[]) =>
  Object.keys(missing(context, fields)).length === 0

/** Codes and passwords are the server's to judge (docs/behaviour.md §16): here they only have to be there. */
function missing(context: RecoveryValues, fields: readonly Field[]): FieldErrors {
  return Object.fromEntries(fields.filter((field) => context[field].trim() === '').map((field) => [field, 'required']))
}

function fieldErrors({ code, details }: ApiError): FieldErrors {
  if (code === 'PasswordIsNotComplexEnough') return { password: withReason(code, details) }
  if (code === 'UnknownLifetimeCode' || code === 'LifetimeCodeRequired') return { code }
  if (code !== 'ValidationError') return {}
  return Object.fromEntries(
    everything.flatMap((field) => (typeof details[field] === 'string' ? [[field, details[field]]] : [])),
  )
}

function retryAt({ reply, at }: Timed): number {
  const seconds = reply.ok ? reply.retryAfterSeconds : reply.apiError.retryAfterSeconds
  return seconds === null ? 0 : at + seconds * 1000
}

export const secondsUntil = (moment: number, now: number): number => Math.max(0, Math.ceil((moment - now) / 1000))
