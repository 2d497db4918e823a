import { type ActorRefFrom, assign, enqueueActions, fromPromise, raise, sendParent, setup } from 'xstate'
import type { Token, TokenCreated } from '../../api/contract/user.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { isDay } from '../calendar/calendar-grid.ts'
import type { FieldErrors, FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { nameErrors } from '../form/required-name.ts'
import { afterListRequest, type ListReply } from '../listed.ts'
import { notProvided } from '../not-provided.ts'
import { afterDeletion, isGone, raiseDeleted } from '../notifications/action-error.ts'
import { raiseToast, type Toast } from '../notifications/toast.ts'
import { handlePageApiError } from '../notifications/page-error.ts'
import type { Expiry } from './expiry.ts'

export interface TokenValues {
  name: string
  expireTime: Expiry
  /** `YYYY-MM-DD`, if `expireTime` is `date`. */
  date: string
}

export const tokenFormMachine = formMachineOf<TokenValues, TokenCreated>({
  fieldOfCode: { AlreadyUsed: 'name' },
  validate: validateToken,
})

export type TokensEvent =
  | { type: 'list.retried' }
  | { type: 'create.requested' }
  | { type: 'create.cancelled' }
  | { type: 'secret.copied'; text: string }
  | { type: 'secret.hidden' }
  | { type: 'delete.requested'; token: Token }
  | { type: 'delete.confirmed' }
  | { type: 'delete.cancelled' }
  | FormReport<TokenValues, TokenCreated>

interface Context {
  tokens: readonly Token[]
  /** When they were fetched, epoch ms. */
  at: number
  apiError: ApiError | null
  /** The token that was just created, with its secret. */
  created: TokenCreated | null
  /** The token to delete. */
  chosen: Token | null
  form: ActorRefFrom<typeof tokenFormMachine> | null
}

/**
 * The user's own API tokens (docs/wire.md §5.4): lists them; creates one, whose secret can be copied until it is hidden
 * or the page is left; deletes one after a confirmation.
 */
export const tokensMachine = setup({
  types: { context: {} as Context, events: {} as TokensEvent, input: {} as PageInput },
  actors: {
    form: tokenFormMachine,
    fetchTokens: fromPromise<ListReply<Token>>(notProvided),
    deleteToken: fromPromise<Reply<object>, { id: string }>(notProvided),
    /** Resolves to whether the text was copied. */
    copy: fromPromise<boolean, { text: string }>(notProvided),
  },
  actions: {
    notifyMissing: sendParent({ type: 'page.missing' }),
    handleApiError: enqueueActions(handlePageApiError),
    assignList: assign((_args, { reply, at }: ListReply<Token>) => ({
      tokens: reply.ok ? reply.value.items : [],
      at,
      apiError: null,
    })),
    openForm: assign({
      form: ({ spawn }) =>
        spawn('form', {
          id: 'form',
          input: { values: blank, facts: null },
        }),
    }),
    closeForm: enqueueActions(({ enqueue }) => {
      enqueue.stopChild('form')
      enqueue.assign({ form: null })
    }),
    /** The secret of the deleted token goes, too. */
    dropChosen: assign(({ context: { tokens, created, chosen } }) => ({
      tokens: tokens.filter(({ id }) => id !== chosen?.id),
      created: created?.id === chosen?.id ? null : created,
    })),
    raiseToast: enqueueActions((machine, toast: Toast) => raiseToast(machine, toast)),
  },
  guards: { isGone },
}).createMachine({
  id: 'tokens',
  type: 'parallel',
  context: { tokens: [], at: 0, apiError: null, created: null, chosen: null, form: null },
  states: {
    list: {
      initial: 'loading',
      states: {
        loading: {
          tags: 'busy',
          // The request in progress may still find a token that has been deleted meanwhile.
          on: { 'list.retried': { target: 'loading', reenter: true } },
          invoke: {
            id: 'fetchTokens',
            src: 'fetchTokens',
            ...afterListRequest<ListReply<Token>>(),
          },
        },
        ready: {},
        failed: { on: { 'list.retried': 'loading' } },
      },
      on: {
        'form.saved': {
          target: '.loading',
          actions: assign(({ context, event: { answer } }) => ({
            tokens: [...context.tokens, { id: answer.id, name: answer.name, expireTime: answer.expireTime }],
          })),
        },
      },
    },
    dialog: {
      initial: 'closed',
      states: {
        closed: {
          on: {
            'create.requested': 'creating',
            'delete.requested': { target: 'confirming', actions: assign({ chosen: ({ event }) => event.token }) },
          },
        },
        creating: {
          entry: 'openForm',
          exit: 'closeForm',
          on: {
            'create.cancelled': 'closed',
            'form.saved': {
              target: 'closed',
              actions: assign({ created: ({ event: { answer } }) => (answer.token === '' ? null : answer) }),
            },
          },
        },
        confirming: { on: { 'delete.confirmed': 'deleting', 'delete.cancelled': 'closed' } },
        deleting: {
          tags: 'busy',
          invoke: {
            id: 'deleteToken',
            src: 'deleteToken',
            input: ({ context }) => ({ id: context.chosen?.id ?? '' }),
            ...afterDeletion('deleted', ['dropChosen', raiseDeleted('tokenDeleted')]),
          },
        },
        deleted: { entry: raise({ type: 'list.retried' }), always: 'closed' },
      },
    },
    secret: {
      initial: 'idle',
      on: {
        'form.saved': '.idle',
        'secret.hidden': { target: '.idle', actions: assign({ created: null }) },
        'secret.copied': { target: '.copying', reenter: true },
      },
      states: {
        idle: {},
        copying: {
          invoke: {
            id: 'copy',
            src: 'copy',
            input: ({ event }) => ({ text: event.type === 'secret.copied' ? event.text : '' }),
            onDone: [{ guard: ({ event }) => event.output, target: 'copied' }, { target: 'notCopied' }],
            onError: 'notCopied',
          },
        },
        copied: {},
        notCopied: {},
      },
    },
  },
})

const blank: TokenValues = { name: '', expireTime: 'month', date: '' }

function validateToken({ name, expireTime, date }: TokenValues): FieldErrors {
  return {
    ...nameErrors({ name }),
    ...(expireTime === 'date' && !isDay(date) ? { date: 'required' } : {}),
  }
}
