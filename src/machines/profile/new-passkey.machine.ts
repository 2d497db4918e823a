import { assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { PasskeyFailure, PasskeyResult } from '../../api/browser/passkeys.ts'
import type { NewCredential, Passkey, PasskeyCreationOptions } from '../../api/contract/passkeys.ts'
import type { Reply } from '../../api/reply.ts'
import { apiErrorOf } from '../api-errors.ts'
import type { FormReport } from '../form/form.events.ts'
import { notProvided } from '../not-provided.ts'
import { actionBroken, actionRefused } from '../notifications/action-error.ts'
import { raiseToast, type Toast } from '../notifications/toast.ts'
import { newPasskeyFormMachine, type NewPasskeyValues } from './passkey-forms.ts'

interface Context {
  /** The suggested name. */
  device: string
  name: string
  /** From the server, for the browser. */
  options: PasskeyCreationOptions | null
  /** Created by the browser, for the server to check. */
  credential: NewCredential | null
  passkey: Passkey | null
  failure: PasskeyFailure | null
}

/** `passkey`: null if none was added; `failure`: the reason, null after a cancellation and after a toast. */
export type NewPasskeyOutput = Pick<Context, 'passkey' | 'failure'>

/**
 * Adds a passkey: the user types a name and the password, the browser creates the passkey when the user has unlocked
 * the device, and the server checks and keeps it.
 */
export const newPasskeyMachine = setup({
  types: {
    context: {} as Context,
    events: {} as FormReport<NewPasskeyValues, PasskeyCreationOptions>,
    input: {} as { device: string },
    output: {} as NewPasskeyOutput,
    children: {} as { form: 'form' },
  },
  actors: {
    form: newPasskeyFormMachine,
    createPasskey: fromPromise<PasskeyResult<NewCredential>, PasskeyCreationOptions | null>(notProvided),
    addPasskey: fromPromise<Reply<Passkey>, { name: string; credential: NewCredential | null }>(notProvided),
  },
  actions: {
    assignFailure: assign((_args, { failure }: { failure: PasskeyFailure }) => ({ failure })),
    raiseToast: enqueueActions((machine, toast: Toast) => raiseToast(machine, toast)),
  },
  guards: {
    isOk: (_args, { ok }: { ok: boolean }) => ok,
    isCancelled: (_args, { result }: { result: PasskeyResult<unknown> }) => !result.ok && result.reason === 'cancelled',
    /** The server refused the credential that the browser created. */
    isCredentialRefused: (_args, { reply }: { reply: Reply<unknown> }) => apiErrorOf(reply).code === 'ValidationError',
  },
}).createMachine({
  id: 'newPasskey',
  context: ({ input: { device } }) => ({
    device,
    name: '',
    options: null,
    credential: null,
    passkey: null,
    failure: null,
  }),
  output: ({ context: { passkey, failure } }) => ({ passkey, failure }),
  initial: 'proving',
  states: {
    proving: {
      invoke: {
        id: 'form',
        src: 'form',
        input: ({ context }) => ({ values: { name: context.device, password: '' }, facts: null }),
      },
      on: {
        'form.saved': {
          target: 'creating',
          actions: assign(({ event }) => ({ name: event.values.name.trim(), options: event.answer })),
        },
      },
    },
    creating: {
      tags: 'busy',
      invoke: {
        id: 'createPasskey',
        src: 'createPasskey',
        input: ({ context }) => context.options,
        onDone: [
          {
            guard: { type: 'isOk', params: ({ event }) => ({ ok: event.output.ok }) },
            target: 'saving',
            actions: assign({ credential: ({ event }) => (event.output.ok ? event.output.value : null) }),
          },
          { guard: { type: 'isCancelled', params: ({ event }) => ({ result: event.output }) }, target: 'ended' },
          {
            target: 'ended',
            actions: {
              type: 'assignFailure',
              params: ({ event: { output } }) => ({ failure: output.ok ? 'failed' : output.reason }),
            },
          },
        ],
        onError: { target: 'ended', actions: { type: 'assignFailure', params: { failure: 'failed' } } },
      },
    },
    saving: {
      tags: 'busy',
      invoke: {
        id: 'addPasskey',
        src: 'addPasskey',
        input: ({ context: { name, credential } }) => ({ name, credential }),
        onDone: [
          {
            guard: { type: 'isOk', params: ({ event }) => ({ ok: event.output.ok }) },
            target: 'ended',
            actions: assign({ passkey: ({ event }) => (event.output.ok ? event.output.value : null) }),
          },
          {
            guard: { type: 'isCredentialRefused', params: ({ event }) => ({ reply: event.output }) },
            target: 'ended',
            actions: { type: 'assignFailure', params: { failure: 'failed' } },
          },
          actionRefused('ended'),
        ],
        onError: actionBroken('ended'),
      },
    },
    ended: { type: 'final' },
  },
})
