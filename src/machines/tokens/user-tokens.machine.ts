import { assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { Token } from '../../api/contract/user.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { afterPartRequest, type ListReply } from '../listed.ts'
import { notProvided } from '../not-provided.ts'
import { afterDeletion, isGone, raiseDeleted } from '../notifications/action-error.ts'
import { raiseToast, type Toast } from '../notifications/toast.ts'
import { handlePageApiError } from '../notifications/page-error.ts'

export type UserTokensEvent =
  | { type: 'list.retried' }
  | { type: 'revoke.requested'; token: Token }
  | { type: 'revoke.confirmed' }
  | { type: 'revoke.cancelled' }

interface Context {
  login: string
  tokens: readonly Token[]
  /** When they were fetched, epoch ms. */
  at: number
  apiError: ApiError | null
  /** The token to revoke. */
  chosen: Token | null
}

/**
 * The API tokens of a user, for administrators, on the page of the user's sessions. Revoking one is confirmed first.
 */
export const userTokensMachine = setup({
  types: { context: {} as Context, events: {} as UserTokensEvent, input: {} as { login: string } },
  actors: {
    fetchTokens: fromPromise<ListReply<Token>, { login: string }>(notProvided),
    revokeToken: fromPromise<Reply<object>, { login: string; id: string }>(notProvided),
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    assignList: assign((_args, { reply, at }: ListReply<Token>) => ({
      tokens: reply.ok ? reply.value.items : [],
      at,
      apiError: null,
    })),
    dropChosen: assign({ tokens: ({ context }) => context.tokens.filter(({ id }) => id !== context.chosen?.id) }),
    raiseToast: enqueueActions((machine, toast: Toast) => raiseToast(machine, toast)),
  },
  guards: { isGone },
}).createMachine({
  id: 'userTokens',
  context: ({ input }) => ({ login: input.login, tokens: [], at: 0, apiError: null, chosen: null }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchTokens',
        src: 'fetchTokens',
        input: ({ context }) => ({ login: context.login }),
        ...afterPartRequest<ListReply<Token>>(),
      },
    },
    ready: {
      on: { 'revoke.requested': { target: 'confirming', actions: assign({ chosen: ({ event }) => event.token }) } },
    },
    confirming: { on: { 'revoke.confirmed': 'revoking', 'revoke.cancelled': 'ready' } },
    revoking: {
      tags: 'busy',
      invoke: {
        id: 'revokeToken',
        src: 'revokeToken',
        input: ({ context }) => ({ login: context.login, id: context.chosen?.id ?? '' }),
        ...afterDeletion('ready', ['dropChosen', raiseDeleted('tokenDeleted')]),
      },
    },
    failed: { on: { 'list.retried': 'loading' } },
  },
})
