import { assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { OpenApiDocument } from '../../api/contract/open-api.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PlainReply, PlainRequest } from '../../api/resources/open-api.ts'
import type { PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import { pageBroken, handlePageApiError } from '../notifications/page-error.ts'
import { handleRefusal } from '../api-errors.ts'
import { type Operation, operationsOf } from './operations.ts'
import { type Draft, callDraftOf, isJson, missingIn, requestOf } from './request.ts'

export interface Documentation {
  document: OpenApiDocument
  origin: string
  now: number
}

export type ApiDocumentationEvent =
  | { type: 'resource.retried' }
  | { type: 'search.edited'; search: string }
  | { type: 'operation.chosen'; id: string | null }
  | { type: 'parameter.edited'; name: string; value: string }
  | { type: 'body.edited'; body: string }
  | { type: 'token.edited'; token: string }
  | { type: 'request.submitted' }
  | { type: 'request.confirmed' }
  | { type: 'request.cancelled' }

/** What came of a call that was sent; `null` reply: nothing came back. */
export interface Outcome {
  request: PlainRequest
  reply: PlainReply | null
}

interface Context {
  info: OpenApiDocument['info'] | null
  origin: string
  now: number
  operations: readonly Operation[]
  apiError: ApiError | null
  search: string
  chosen: string | null
  drafts: Readonly<Record<string, Draft>>
  outcomes: Readonly<Record<string, Outcome>>
  /** A token that signs the calls in place of the session; never kept past the page. */
  token: string
  isIncomplete: boolean
}

const chosenOf = ({ operations, chosen }: Pick<Context, 'operations' | 'chosen'>): Operation | undefined =>
  operations.find(({ id }) => id === chosen)

const draftIn = (context: Context, operation: Operation): Draft =>
  context.drafts[operation.id] ?? callDraftOf(operation, context.now)

function refilled(context: Context, change: (draft: Draft) => Draft): Pick<Context, 'drafts'> {
  const operation = chosenOf(context)
  return {
    drafts:
      operation === undefined
        ? context.drafts
        : { ...context.drafts, [operation.id]: change(draftIn(context, operation)) },
  }
}

const requestIn = (context: Context): PlainRequest | null => {
  const operation = chosenOf(context)
  return operation === undefined ? null : requestOf(operation, draftIn(context, operation), context.token.trim())
}

/**
 * The server's calls, read from its own description: one is looked up, filled in and sent to the running server as the
 * session or with a pasted token, and its answer shown as it came. A call that deletes asks first. One call is under
 * way at a time; choosing another leaves it.
 */
export const apiDocumentationMachine = setup({
  types: { context: {} as Context, events: {} as ApiDocumentationEvent, input: {} as PageInput },
  actors: {
    fetchDocument: fromPromise<Reply<Documentation>>(notProvided),
    sendRequest: fromPromise<PlainReply, { request: PlainRequest }>(notProvided),
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    keepChosen: (_args, _params: { id: string | null }) => undefined,
    assignDocument: assign((_args, { document, origin, now }: Documentation) => ({
      info: document.info,
      operations: operationsOf(document),
      origin,
      now,
      apiError: null,
    })),
    assignReply: assign(({ context }, { reply }: { reply: PlainReply | null }) => {
      const request = requestIn(context)
      return request === null || context.chosen === null
        ? {}
        : { outcomes: { ...context.outcomes, [context.chosen]: { request, reply } } }
    }),
    fillParameter: assign(({ context }, { name, value }: { name: string; value: string }) =>
      refilled(context, ({ parameters, body }) => ({ parameters: { ...parameters, [name]: value }, body })),
    ),
    fillBody: assign(({ context }, { body }: { body: string }) =>
      refilled(context, ({ parameters }) => ({ parameters, body })),
    ),
  },
  guards: {
    isIncomplete: ({ context }) => {
      const operation = chosenOf(context)
      if (operation === undefined) return true
      const draft = draftIn(context, operation)
      return (
        missingIn(operation, draft).length > 0 ||
        (operation.body !== null && draft.body.trim() !== '' && !isJson(draft.body))
      )
    },
    isDestructive: ({ context }) => chosenOf(context)?.method === 'DELETE',
  },
}).createMachine({
  id: 'apiDocumentation',
  context: ({ input: { address } }) => ({
    info: null,
    origin: '',
    now: 0,
    operations: [],
    apiError: null,
    search: '',
    chosen: new URLSearchParams(address.search).get('call'),
    drafts: {},
    outcomes: {},
    token: '',
    isIncomplete: false,
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchDocument',
        src: 'fetchDocument',
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'open',
            actions: enqueueActions(({ event, enqueue }) => {
              if (event.output.ok) enqueue({ type: 'assignDocument', params: event.output.value })
            }),
          },
          {
            target: 'failed',
            actions: handleRefusal,
          },
        ],
        onError: pageBroken,
      },
    },
    failed: { tags: 'error', on: { 'resource.retried': 'loading' } },
    open: {
      initial: 'filling',
      on: {
        'search.edited': { actions: assign({ search: ({ event }) => event.search }) },
        'token.edited': { actions: assign({ token: ({ event }) => event.token }) },
        'operation.chosen': {
          target: '.filling',
          actions: [
            assign({ chosen: ({ event }) => event.id, isIncomplete: false }),
            { type: 'keepChosen', params: ({ event }) => ({ id: event.id }) },
          ],
        },
        'parameter.edited': {
          actions: { type: 'fillParameter', params: ({ event: { name, value } }) => ({ name, value }) },
        },
        'body.edited': { actions: { type: 'fillBody', params: ({ event: { body } }) => ({ body }) } },
      },
      states: {
        filling: {
          on: {
            'request.submitted': [
              { guard: 'isIncomplete', actions: assign({ isIncomplete: true }) },
              { guard: 'isDestructive', target: 'asking', actions: assign({ isIncomplete: false }) },
              { target: 'sending', actions: assign({ isIncomplete: false }) },
            ],
          },
        },
        asking: { on: { 'request.confirmed': 'sending', 'request.cancelled': 'filling' } },
        sending: {
          tags: 'busy',
          on: { 'request.cancelled': 'filling' },
          invoke: {
            id: 'sendRequest',
            src: 'sendRequest',
            input: ({ context }) => {
              const request = requestIn(context)
              if (request === null) throw new Error('no call is chosen')
              return { request }
            },
            onDone: {
              target: 'filling',
              actions: { type: 'assignReply', params: ({ event }) => ({ reply: event.output }) },
            },
            onError: { target: 'filling', actions: { type: 'assignReply', params: { reply: null } } },
          },
        },
      },
    },
  },
})

export function selectChosen(context: Context): { operation: Operation; draft: Draft; request: PlainRequest } | null {
  const operation = chosenOf(context)
  if (operation === undefined) return null
  const draft = draftIn(context, operation)
  return { operation, draft, request: requestOf(operation, draft, context.token.trim()) }
}
