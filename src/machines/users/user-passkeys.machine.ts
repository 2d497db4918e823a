import { assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { Passkey } from '../../api/contract/passkeys.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { afterPartRequest, type ListReply } from '../listed.ts'
import { notProvided } from '../not-provided.ts'
import { afterDeletion, isGone } from '../notifications/action-error.ts'
import { handlePageApiError } from '../notifications/page-error.ts'
import { raiseToast, type Toast } from '../notifications/toast.ts'

export type UserPasskeysEvent =
  | { type: 'list.retried' }
  | { type: 'removal.requested'; passkey: Passkey }
  | { type: 'removal.confirmed' }
  | { type: 'removal.cancelled' }

interface Context {
  login: string
  passkeys: readonly Passkey[]
  /** When they were fetched, epoch ms; 0: not yet. */
  at: number
  apiError: ApiError | null
  /** The passkey to remove. */
  chosen: Passkey | null
}

/** The passkeys of another user, for administrators, on that user's page. Removing one is confirmed first. */
export const userPasskeysMachine = setup({
  types: { context: {} as Context, events: {} as UserPasskeysEvent, input: {} as { login: string } },
  actors: {
    fetchPasskeys: fromPromise<ListReply<Passkey>, { login: string }>(notProvided),
    removePasskey: fromPromise<Reply<object>, { login: string; id: string }>(notProvided),
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    assignList: assign((_args, { reply, at }: ListReply<Passkey>) => ({
      passkeys: reply.ok ? reply.value.items : [],
      at,
      apiError: null,
    })),
    dropChosen: assign({ passkeys: ({ context }) => context.passkeys.filter(({ id }) => id !== context.chosen?.id) }),
    raiseToast: enqueueActions((machine, toast: Toast) => raiseToast(machine, toast)),
  },
  guards: { isGone },
}).createMachine({
  id: 'userPasskeys',
  context: ({ input }) => ({ login: input.login, passkeys: [], at: 0, apiError: null, chosen: null }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchPasskeys',
        src: 'fetchPasskeys',
        input: ({ context }) => ({ login: context.login }),
        ...afterPartRequest<ListReply<Passkey>>(),
      },
    },
    ready: {
      on: { 'removal.requested': { target: 'confirming', actions: assign({ chosen: ({ event }) => event.passkey }) } },
    },
    confirming: { on: { 'removal.confirmed': 'removing', 'removal.cancelled': 'ready' } },
    removing: {
      tags: 'busy',
      invoke: {
        id: 'removePasskey',
        src: 'removePasskey',
        input: ({ context }) => ({ login: context.login, id: context.chosen?.id ?? '' }),
        ...afterDeletion('ready', [
          'dropChosen',
          { type: 'raiseToast', params: { tone: 'success', code: 'userUpdated' } },
        ]),
      },
    },
    failed: { on: { 'list.retried': 'loading' } },
  },
})
