import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { PasskeyFailure } from '../../api/browser/passkeys.ts'
import type { Passkey } from '../../api/contract/passkeys.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FormReport } from '../form/form.events.ts'
import { afterListRequest } from '../listed.ts'
import { notProvided } from '../not-provided.ts'
import { actionBroken, afterDeletion, isGone } from '../notifications/action-error.ts'
import { handlePageApiError } from '../notifications/page-error.ts'
import { raiseToast, type Toast } from '../notifications/toast.ts'
import { passkeyFeature } from './features.ts'
import { newPasskeyMachine, type NewPasskeyOutput } from './new-passkey.machine.ts'
import { type FetchedPasskeys, passkeyNameFormMachine, type PasskeyNameValues } from './passkey-forms.ts'

export type PasskeysEvent =
  | { type: 'list.retried' }
  | { type: 'passkey.addRequested' }
  | { type: 'passkey.renameRequested'; passkey: Passkey }
  | { type: 'passkey.removeRequested'; passkey: Passkey }
  | { type: 'passkey.cancelled' }
  | { type: 'removal.confirmed' }
  | FormReport<PasskeyNameValues, object>

interface Context {
  /** The server has the feature. */
  isOffered: boolean
  /** Another system decides how this user signs in. */
  isManaged: boolean
  passkeys: readonly Passkey[]
  /** When they were fetched, epoch ms. */
  at: number
  /** The host name in the console's URL, at which new passkeys will work. */
  host: string
  /** The suggested name of a new passkey. */
  device: string
  apiError: ApiError | null
  /** The passkey to rename or to remove. */
  chosen: Passkey | null
  /** Why no passkey was added; null also after a cancellation, or after a toast that says why. */
  failure: PasskeyFailure | null
}

/**
 * The user's own passkeys (docs/behaviour.md §12): lists them; adds one, in a machine of its own; renames one; removes
 * one after a confirmation.
 */
export const passkeysMachine = setup({
  types: {
    context: {} as Context,
    events: {} as PasskeysEvent,
    input: {} as PageInput,
    children: {} as { newPasskey: 'newPasskey'; rename: 'rename' },
  },
  actors: {
    newPasskey: newPasskeyMachine,
    rename: passkeyNameFormMachine,
    fetchPasskeys: fromPromise<FetchedPasskeys>(notProvided),
    removePasskey: fromPromise<Reply<object>, { id: string }>(notProvided),
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    notifyMissing: sendParent({ type: 'page.missing' }),
    assignList: assign((_args, { reply, at, host, device }: FetchedPasskeys) => ({
      passkeys: reply.ok ? reply.value.items : [],
      at,
      host,
      device,
      apiError: null,
    })),
    assignNewPasskey: assign(({ context }, { passkey, failure }: NewPasskeyOutput) => ({
      passkeys: passkey === null ? context.passkeys : [...context.passkeys, passkey],
      failure,
    })),
    forgetFailure: assign({ failure: null }),
    changeName: assign(({ context }, { name }: { name: string }) => ({
      passkeys: context.passkeys.map((one) => (one.id === context.chosen?.id ? { ...one, name: name.trim() } : one)),
    })),
    dropChosen: assign({ passkeys: ({ context }) => context.passkeys.filter(({ id }) => id !== context.chosen?.id) }),
    raiseToast: enqueueActions((machine, toast: Toast) => raiseToast(machine, toast)),
    notifySaved: enqueueActions((machine) => raiseToast(machine, { tone: 'success', code: 'profileUpdated' })),
  },
  guards: {
    isGone,
    isOffered: ({ context }) => context.isOffered,
    canAdd: ({ context }) => !context.isManaged,
  },
}).createMachine({
  id: 'passkeys',
  context: ({ input: { settings, user } }) => ({
    isOffered: settings.features.includes(passkeyFeature),
    isManaged: user?.isManaged === true,
    passkeys: [],
    at: 0,
    host: '',
    device: '',
    apiError: null,
    chosen: null,
    failure: null,
  }),
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'isOffered', target: 'present' }, { target: 'absent' }] },
    absent: {},
    present: {
      type: 'parallel',
      states: {
        list: {
          initial: 'loading',
          states: {
            loading: {
              tags: 'busy',
              invoke: {
                id: 'fetchPasskeys',
                src: 'fetchPasskeys',
                ...afterListRequest<FetchedPasskeys>(),
              },
            },
            ready: {},
            failed: { on: { 'list.retried': 'loading' } },
          },
        },
        dialog: {
          initial: 'closed',
          states: {
            closed: {
              on: {
                'passkey.addRequested': { guard: 'canAdd', target: 'adding', actions: 'forgetFailure' },
                'passkey.renameRequested': {
                  target: 'renaming',
                  actions: assign({ chosen: ({ event }) => event.passkey }),
                },
                'passkey.removeRequested': {
                  target: 'confirming',
                  actions: assign({ chosen: ({ event }) => event.passkey }),
                },
              },
            },
            adding: {
              invoke: {
                id: 'newPasskey',
                src: 'newPasskey',
                input: ({ context }) => ({ device: context.device }),
                onDone: [
                  {
                    guard: ({ event }) => event.output.passkey !== null,
                    target: 'closed',
                    actions: [{ type: 'assignNewPasskey', params: ({ event }) => event.output }, 'notifySaved'],
                  },
                  { target: 'closed', actions: { type: 'assignNewPasskey', params: ({ event }) => event.output } },
                ],
                onError: actionBroken('closed'),
              },
              on: { 'passkey.cancelled': 'closed' },
            },
            renaming: {
              invoke: {
                id: 'rename',
                src: 'rename',
                input: ({ context: { chosen } }) => ({
                  values: { id: chosen?.id ?? '', name: chosen?.name ?? '' },
                  facts: null,
                }),
              },
              on: {
                'form.saved': {
                  target: 'closed',
                  actions: [{ type: 'changeName', params: ({ event }) => event.values }, 'notifySaved'],
                },
                'passkey.cancelled': 'closed',
              },
            },
            confirming: { on: { 'removal.confirmed': 'removing', 'passkey.cancelled': 'closed' } },
            removing: {
              tags: 'busy',
              invoke: {
                id: 'removePasskey',
                src: 'removePasskey',
                input: ({ context }) => ({ id: context.chosen?.id ?? '' }),
                ...afterDeletion('closed', ['dropChosen', 'notifySaved']),
              },
            },
          },
        },
      },
    },
  },
})
