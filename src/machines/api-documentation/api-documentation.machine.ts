import { assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { OpenApiDocument } from '../../api/contract/open-api.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PlainRequest, PlainResponse } from '../../api/resources/open-api.ts'
import type { PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import { pageBroken, handlePageApiError } from '../notifications/page-error.ts'
import { handleRefusal } from '../api-errors.ts'
import { type Operation, operationsOf } from './operations.ts'
import { type RequestFields, defaultFieldsOf, isJson, missingParameters, requestOf } from './request.ts'

export interface Documentation {
  document: OpenApiDocument
  /** The URL that the paths of the calls are appended to. */
  baseUrl: string
  /** Epoch ms; the date-times of examples are counted from it. */
  fetchedAt: number
}

export type ApiDocumentationEvent =
  | { type: 'resource.retried' }
  | { type: 'search.edited'; search: string }
  | { type: 'operation.selected'; id: string | null }
  | { type: 'parameter.edited'; name: string; value: string }
  | { type: 'body.edited'; body: string }
  | { type: 'token.edited'; token: string }
  | { type: 'request.submitted' }
  | { type: 'request.confirmed' }
  | { type: 'request.cancelled' }

/** A request that was sent, with its response; null: the server did not respond. */
export interface Outcome {
  request: PlainRequest
  response: PlainResponse | null
}

interface Context {
  info: OpenApiDocument['info'] | null
  baseUrl: string
  fetchedAt: number
  operations: readonly Operation[]
  apiError: ApiError | null
  search: string
  /** The `id` of an operation. */
  selected: string | null
  /** What was typed, by the `id` of the operation. */
  fields: Readonly<Record<string, RequestFields>>
  /** The last request of each operation, by its `id`. */
  outcomes: Readonly<Record<string, Outcome>>
  /** Authenticates the calls in place of the session. It isn't stored, so leaving the page forgets it. */
  token: string
  /** Send was pressed with fields missing or invalid, so the form marks them. */
  hasErrors: boolean
  /** The request in progress, as it was sent: the fields may change meanwhile. */
  sent: PlainRequest | null
}

const selectedIn = ({ operations, selected }: Pick<Context, 'operations' | 'selected'>): Operation | undefined =>
  operations.find(({ id }) => id === selected)

const fieldsIn = (context: Context, operation: Operation): RequestFields =>
  context.fields[operation.id] ?? defaultFieldsOf(operation, context.fetchedAt)

function withFields(context: Context, edit: (fields: RequestFields) => RequestFields): Pick<Context, 'fields'> {
  const operation = selectedIn(context)
  return {
    fields:
      operation === undefined
        ? context.fields
        : { ...context.fields, [operation.id]: edit(fieldsIn(context, operation)) },
  }
}

const requestIn = (context: Context): PlainRequest | null => {
  const operation = selectedIn(context)
  return operation === undefined ? null : requestOf(operation, fieldsIn(context, operation), context.token.trim())
}

/**
 * The API documentation: lists the operations of the server's OpenAPI document. The user selects one, fills in its
 * parameters and body, and sends the request to this server, authenticated by the session or by a pasted token. The
 * page shows the response; JSON is indented. A DELETE is confirmed first. One request is in progress at a time;
 * selecting another operation aborts it.
 */
export const apiDocumentationMachine = setup({
  types: { context: {} as Context, events: {} as ApiDocumentationEvent, input: {} as PageInput },
  actors: {
    fetchDocument: fromPromise<Reply<Documentation>>(notProvided),
    sendRequest: fromPromise<PlainResponse, { request: PlainRequest }>(notProvided),
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    /** Provided by the wiring: writes the selected operation into the address. */
    writeSelected: (_args, _params: { id: string | null }) => undefined,
    assignDocument: assign((_args, { document, baseUrl, fetchedAt }: Documentation) => ({
      info: document.info,
      operations: operationsOf(document),
      baseUrl,
      fetchedAt,
      apiError: null,
    })),
    assignSent: assign({ sent: ({ context }) => requestIn(context) }),
    forgetSent: assign({ sent: null }),
    assignResponse: assign(({ context: { sent, selected, outcomes } }, { response }: Pick<Outcome, 'response'>) =>
      sent === null || selected === null ? {} : { outcomes: { ...outcomes, [selected]: { request: sent, response } } },
    ),
    assignParameter: assign(({ context }, { name, value }: { name: string; value: string }) =>
      withFields(context, ({ parameters, body }) => ({ parameters: { ...parameters, [name]: value }, body })),
    ),
    assignBody: assign(({ context }, { body }: { body: string }) =>
      withFields(context, ({ parameters }) => ({ parameters, body })),
    ),
  },
  guards: {
    isInvalid: ({ context }) => {
      const operation = selectedIn(context)
      if (operation === undefined) return true
      const fields = fieldsIn(context, operation)
      return (
        missingParameters(operation, fields).length > 0 ||
        (operation.body !== null && fields.body.trim() !== '' && !isJson(fields.body))
      )
    },
    isDestructive: ({ context }) => selectedIn(context)?.method === 'DELETE',
  },
}).createMachine({
  id: 'apiDocumentation',
  context: ({ input: { address } }) => ({
    info: null,
    baseUrl: '',
    fetchedAt: 0,
    operations: [],
    apiError: null,
    search: '',
    selected: new URLSearchParams(address.search).get('call'),
    fields: {},
    outcomes: {},
    token: '',
    hasErrors: false,
    sent: null,
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
        'operation.selected': {
          target: '.filling',
          actions: [
            assign({ selected: ({ event }) => event.id, hasErrors: false }),
            { type: 'writeSelected', params: ({ event }) => ({ id: event.id }) },
          ],
        },
        'parameter.edited': {
          actions: { type: 'assignParameter', params: ({ event: { name, value } }) => ({ name, value }) },
        },
        'body.edited': { actions: { type: 'assignBody', params: ({ event: { body } }) => ({ body }) } },
      },
      states: {
        filling: {
          entry: 'forgetSent',
          on: {
            'request.submitted': [
              { guard: 'isInvalid', actions: assign({ hasErrors: true }) },
              { guard: 'isDestructive', target: 'confirming', actions: assign({ hasErrors: false }) },
              { target: 'sending', actions: assign({ hasErrors: false }) },
            ],
          },
        },
        confirming: { on: { 'request.confirmed': 'sending', 'request.cancelled': 'filling' } },
        sending: {
          tags: 'busy',
          entry: 'assignSent',
          on: { 'request.cancelled': 'filling' },
          invoke: {
            id: 'sendRequest',
            src: 'sendRequest',
            input: ({ context: { sent } }) => {
              if (sent === null) throw new Error('no operation is selected')
              return { request: sent }
            },
            onDone: {
              target: 'filling',
              actions: { type: 'assignResponse', params: ({ event }) => ({ response: event.output }) },
            },
            onError: { target: 'filling', actions: { type: 'assignResponse', params: { response: null } } },
          },
        },
      },
    },
  },
})

interface Selected {
  operation: Operation
  fields: RequestFields
  /** As Send would send it now. */
  request: PlainRequest
}

export function selectedOf(context: Context): Selected | null {
  const operation = selectedIn(context)
  if (operation === undefined) return null
  const fields = fieldsIn(context, operation)
  return { operation, fields, request: requestOf(operation, fields, context.token.trim()) }
}
