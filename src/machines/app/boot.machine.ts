import { assign, fromPromise, sendParent, setup } from 'xstate'
import type { Configuration, Settings } from '../../api/contract/settings.ts'
import type { User } from '../../api/contract/user.ts'
import type { Refusal, Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'

export interface Booted {
  configuration: Configuration | null
  settings: Settings | null
  settingsRefusal: Refusal | null
  user: User | null
  /** A call answered 423. */
  isLocked: boolean
}

/**
 * The start-up sequence (spec.md §1): configuration, then settings, then the current user; the parent is told when the
 * settings are known or missing, so that health starts beside the user. Without configuration the console goes on with defaults; without settings it starts
 * signed out. It always ends, and its output says what was found.
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
}).createMachine({
  id: 'boot',
  context: { configuration: null, settings: null, settingsRefusal: null, user: null, isLocked: false },
  initial: 'configuring',
  output: ({ context }) => context,
  states: {
    configuring: {
      invoke: {
        id: 'fetchConfiguration',
        src: 'fetchConfiguration',
        onDone: {
          target: 'settling',
          actions: assign({ configuration: ({ event }) => (event.output.ok ? event.output.value : null) }),
        },
        onError: 'settling',
      },
    },
    settling: {
      exit: sendParent({ type: 'boot.settled' }),
      invoke: {
        id: 'fetchSettings',
        src: 'fetchSettings',
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'identifying',
            actions: assign({ settings: ({ event }) => (event.output.ok ? event.output.value : null) }),
          },
          {
            target: 'booted',
            actions: assign(({ event }) => ({
              settingsRefusal: event.output.ok ? null : event.output.refusal,
              isLocked: !event.output.ok && event.output.refusal.status === 423,
            })),
          },
        ],
        onError: 'booted',
      },
    },
    identifying: {
      invoke: {
        id: 'fetchUser',
        src: 'fetchUser',
        onDone: {
          target: 'booted',
          actions: assign(({ event }) => ({
            user: event.output.ok ? event.output.value : null,
            isLocked: !event.output.ok && event.output.refusal.status === 423,
          })),
        },
        onError: 'booted',
      },
    },
    booted: { type: 'final' },
  },
})
