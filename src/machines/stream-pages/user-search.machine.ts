import { assign, fromPromise, setup } from 'xstate'
import type { Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'

type Event = { type: 'login.edited'; login: string }

interface Context {
  login: string
  /** Matching logins that the server shows to this user. */
  found: readonly string[]
}

/** Searches users by login after a pause in typing. If the user may not search, nothing is found. */
export const userSearchMachine = setup({
  types: { context: {} as Context, events: {} as Event },
  actors: { searchUsers: fromPromise<Reply<readonly string[]>, { query: string }>(notProvided) },
  guards: { isBlank: (_, { login }: { login: string }) => login.trim() === '' },
  delays: { typingPause: 250 },
}).createMachine({
  id: 'userSearch',
  context: { login: '', found: [] },
  initial: 'idle',
  on: {
    'login.edited': [
      {
        guard: { type: 'isBlank', params: ({ event }) => event },
        target: '.idle',
        actions: assign({ login: ({ event }) => event.login, found: [] }),
      },
      { target: '.typing', reenter: true, actions: assign({ login: ({ event }) => event.login }) },
    ],
  },
  states: {
    idle: {},
    typing: { after: { typingPause: 'searching' } },
    searching: {
      tags: 'busy',
      invoke: {
        id: 'searchUsers',
        src: 'searchUsers',
        input: ({ context }) => ({ query: context.login.trim() }),
        onDone: {
          target: 'idle',
          actions: assign({ found: ({ event }) => (event.output.ok ? event.output.value : []) }),
        },
        onError: { target: 'idle', actions: assign({ found: [] }) },
      },
    },
  },
})
