import { assign, fromPromise, sendParent, setup } from 'xstate'
import type { Configuration, Settings } from '../../api/contract/settings.ts'
import type { User } from '../../api/contract/user.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { isOutage, noResponse } from '../api-errors.ts'

export interface Booted {
  configuration: Configuration | null
  /** The request for the configuration was answered, if only with a 404. */
  isConfigured: boolean
  settings: Settings | null
  settingsApiError: ApiError | null
  user: User | null
  userApiError: ApiError | null
}

/**
 * The start-up sequence (docs/behaviour.md §2): configuration, settings, then the current user. The parent is notified
 * once the request for the settings has ended, so that it checks health while the user is fetched. Without a
 * configuration the console uses defaults; without settings it starts signed out. Each request may take 10 s, so that
 * the sequence always ends; its output is what was fetched, and the errors.
 */
export const bootMachine = setup({
  types: {
    context: {} as Booted,
    output: {} as Booted,
  },
  actors: {
    fetchConfiguration: fromPromise<Reply<Configuration>>(notProvided),
    fetchSettings: fromPromise<Reply<Settings>>(notProvided),
    fetchUser: fromPromise<Reply<User>>(notProvided),
  },
  actions: {
    assignConfiguration: assign((_, { reply }: { reply: Reply<Configuration> }) =>
      reply.ok ? { configuration: reply.value, isConfigured: true } : { isConfigured: !isOutage(reply.apiError) },
    ),
    assignSettings: assign((_, { reply }: { reply: Reply<Settings> }) =>
      reply.ok ? { settings: reply.value } : { settingsApiError: reply.apiError },
    ),
    assignUser: assign((_, { reply }: { reply: Reply<User> }) =>
      reply.ok ? { user: reply.value } : { userApiError: reply.apiError },
    ),
    goWithoutSettings: assign({ settingsApiError: noResponse }),
    goWithoutUser: assign({ userApiError: noResponse }),
    notifySettled: sendParent({ type: 'boot.settled' }),
  },
  guards: { isOk: (_, { reply }: { reply: Reply<unknown> }) => reply.ok },
  delays: { timeout: 10_000 },
}).createMachine({
  id: 'boot',
  context: {
    configuration: null,
    isConfigured: false,
    settings: null,
    settingsApiError: null,
    user: null,
    userApiError: null,
  },
  initial: 'fetchingConfiguration',
  output: ({ context }) => context,
  states: {
    fetchingConfiguration: {
      after: { timeout: 'fetchingSettings' },
      invoke: {
        id: 'fetchConfiguration',
        src: 'fetchConfiguration',
        onDone: {
          target: 'fetchingSettings',
          actions: { type: 'assignConfiguration', params: ({ event }) => ({ reply: event.output }) },
        },
        onError: 'fetchingSettings',
      },
    },
    fetchingSettings: {
      exit: 'notifySettled',
      after: { timeout: { target: 'booted', actions: 'goWithoutSettings' } },
      invoke: {
        id: 'fetchSettings',
        src: 'fetchSettings',
        onDone: [
          {
            guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
            target: 'identifying',
            actions: { type: 'assignSettings', params: ({ event }) => ({ reply: event.output }) },
          },
          { target: 'booted', actions: { type: 'assignSettings', params: ({ event }) => ({ reply: event.output }) } },
        ],
        onError: { target: 'booted', actions: 'goWithoutSettings' },
      },
    },
    identifying: {
      after: { timeout: { target: 'booted', actions: 'goWithoutUser' } },
      invoke: {
        id: 'fetchUser',
        src: 'fetchUser',
        onDone: { target: 'booted', actions: { type: 'assignUser', params: ({ event }) => ({ reply: event.output }) } },
        onError: { target: 'booted', actions: 'goWithoutUser' },
      },
    },
    booted: { type: 'final' },
  },
})
