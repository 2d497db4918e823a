import { assign, enqueueActions, fromCallback, fromPromise, raise, setup } from 'xstate'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import { raiseErrorToast } from '../notifications/toast.ts'
import { pageBroken, handlePageApiError } from '../notifications/page-error.ts'
import { apiErrorOf, raiseFault, raiseRefusal, handleRefusal } from '../api-errors.ts'

export type ResourceEvent<Query, Command> =
  | { type: 'query.changed'; query: Query }
  | { type: 'resource.retried' }
  | { type: 'command.requested'; command: Command }
  /** The user doesn't confirm the command that was refused. */
  | { type: 'command.dropped' }
  /** The server has answered a command. */
  | { type: 'command.performed' }
  | { type: 'page.hidden' }
  | { type: 'page.shown' }

interface ResourceContext<Value, Query, Command> {
  query: Query
  /** The last value received; it stays during a new request and after an error. */
  value: Value | null
  apiError: ApiError | null
  /** The command in progress, and those that wait for it. */
  commands: readonly Command[]
  /** The last command, if it was refused and needs a confirmation, and its error. */
  unconfirmed: { command: Command; apiError: ApiError } | null
}

interface ResourceOptions<Query> {
  /** The polling interval; null: fetched only when the query changes, after a command, and on retry. */
  pollMs: number | null
  queryOf: (input: PageInput) => Query
  /** Whether a command changes the settings, so that the console fetches them again. */
  isOutdating?: boolean
  /** Whether the page is about this resource, so that a 404 leads to the page Not found (docs/behaviour.md §3). */
  isSubject?: boolean
  /** Whether a command that was refused so is to be confirmed; its error raises no toast. */
  needsConfirmation?: (apiError: ApiError) => boolean
}

/**
 * A machine for data of the server that a page shows. The region `data` fetches it when the page opens, when the query
 * changes, after each command (a change of the data) and, if it polls, at an interval while the page is visible. After
 * an error the last value stays. The region `command` performs the commands one after another; the error of each raises
 * a toast, or asks for a confirmation, with which the view sends the command again.
 */
export function resourceMachineOf<Value, Query, Command = never>({
  pollMs,
  queryOf,
  isOutdating = false,
  isSubject = false,
  needsConfirmation = () => false,
}: ResourceOptions<Query>) {
  const params = ({ event: { query } }: { event: { query: Query } }) => ({ query })
  const changeQuery = [
    { type: 'assignQuery', params },
    { type: 'writeQuery', params },
  ] as const
  return setup({
    types: {
      context: {} as ResourceContext<Value, Query, Command>,
      events: {} as ResourceEvent<Query, Command>,
      input: {} as PageInput,
    },
    actors: {
      /** `known`: the last value. */
      fetchResource: fromPromise<Reply<Value>, { query: Query; known: Value | null }>(notProvided),
      perform: fromPromise<Reply<unknown>, { command: Command }>(notProvided),
      visibility: fromCallback(() => undefined),
    },
    actions: {
      /** Provided by the wiring of some pages: writes the query into the address. */
      writeQuery: (_args, _params: { query: Query }) => undefined,
      assignQuery: assign((_args, { query }: { query: Query }) => ({ query })),
      assignValue: assign({ value: (_args, { value }: { value: Value }) => value, apiError: null }),
      handleApiError: enqueueActions((machine, { apiError }: { apiError: ApiError }) =>
        handlePageApiError(machine, { apiError }, pollMs === null ? null : machine.context.apiError),
      ),
      keepUnconfirmed: assign(({ context }, { apiError }: { apiError: ApiError }) => {
        const [command] = context.commands
        return command === undefined ? {} : { unconfirmed: { command, apiError } }
      }),
      endCommand: assign({ commands: ({ context }) => context.commands.slice(1) }),
      notifyPerformed: raise({ type: 'command.performed' }),
      outdate: enqueueActions(({ enqueue }) => {
        if (isOutdating) enqueue.sendParent({ type: 'settings.outdated' })
      }),
      notifyMissing: enqueueActions(({ enqueue }) => {
        enqueue.sendParent({ type: 'page.missing' })
      }),
      raiseApiError: enqueueActions(raiseErrorToast),
    },
    guards: {
      isPolled: () => pollMs !== null,
      mustWait: ({ context: { apiError } }) => pollMs !== null && (apiError?.retryAfterSeconds ?? 0) > 0,
      needsConfirmation: (_args: unknown, { apiError }: { apiError: ApiError }) => needsConfirmation(apiError),
      hasCommands: ({ context }) => context.commands.length > 0,
    },
    delays: {
      /** After a refusal no sooner than the server's `retry-after`. */
      pollInterval: ({ context }) => Math.max(pollMs ?? 0, (context.apiError?.retryAfterSeconds ?? 0) * 1000),
    },
  }).createMachine({
    id: 'resource',
    type: 'parallel',
    context: ({ input }) => ({ query: queryOf(input), value: null, apiError: null, commands: [], unconfirmed: null }),
    invoke: { id: 'visibility', src: 'visibility' },
    states: {
      data: {
        initial: 'loading',
        on: {
          'query.changed': { target: '.loading', actions: changeQuery },
          'command.performed': '.loading',
        },
        states: {
          loading: {
            tags: 'busy',
            // The answer on its way may be of before a change.
            on: { 'page.hidden': 'resting', 'resource.retried': { target: 'loading', reenter: true } },
            invoke: {
              id: 'fetchResource',
              src: 'fetchResource',
              input: ({ context }) => ({ query: context.query, known: context.value }),
              onDone: [
                {
                  guard: ({ event }) => event.output.ok,
                  target: 'shown',
                  actions: enqueueActions(({ event, enqueue }) => {
                    if (event.output.ok) enqueue({ type: 'assignValue', params: { value: event.output.value } })
                  }),
                },
                {
                  guard: ({ event }) => isSubject && apiErrorOf(event.output).status === 404,
                  target: 'failed',
                  actions: 'notifyMissing',
                },
                {
                  target: 'failed',
                  actions: handleRefusal,
                },
              ],
              onError: pageBroken,
            },
          },
          shown: {
            after: { pollInterval: { guard: 'isPolled', target: 'loading' } },
            on: { 'resource.retried': 'loading', 'page.hidden': { guard: 'isPolled', target: 'resting' } },
          },
          failed: {
            tags: 'error',
            after: { pollInterval: { guard: 'isPolled', target: 'loading' } },
            on: { 'resource.retried': 'loading', 'page.hidden': { guard: 'isPolled', target: 'resting' } },
          },
          resting: {
            on: {
              // The pause that the server requires begins again, as it may not have ended.
              'page.shown': [{ guard: 'mustWait', target: 'failed' }, { target: 'loading' }],
              'query.changed': { actions: changeQuery },
              'command.performed': {},
            },
          },
        },
      },
      command: {
        initial: 'idle',
        on: {
          'command.requested': {
            actions: assign({
              commands: ({ context, event }) => [...context.commands, event.command],
              unconfirmed: null,
            }),
          },
          'command.dropped': { actions: assign({ unconfirmed: null }) },
        },
        states: {
          idle: { always: { guard: 'hasCommands', target: 'performing' } },
          performing: {
            tags: ['busy', 'performing'],
            invoke: {
              id: 'perform',
              src: 'perform',
              input: ({ context }) => {
                const [command] = context.commands
                if (command === undefined) throw new Error('no command')
                return { command }
              },
              onDone: [
                {
                  guard: ({ event }) => event.output.ok,
                  target: 'idle',
                  actions: ['endCommand', 'outdate', 'notifyPerformed'],
                },
                {
                  guard: {
                    type: 'needsConfirmation',
                    params: ({ event }) => ({ apiError: apiErrorOf(event.output) }),
                  },
                  target: 'idle',
                  actions: [
                    { type: 'keepUnconfirmed', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
                    'endCommand',
                    'notifyPerformed',
                  ],
                },
                { target: 'idle', actions: ['endCommand', raiseRefusal, 'notifyPerformed'] },
              ],
              onError: { target: 'idle', actions: ['endCommand', raiseFault, 'notifyPerformed'] },
            },
          },
        },
      },
    },
  })
}
