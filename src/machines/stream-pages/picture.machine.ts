import { assign, fromCallback, fromPromise, setup } from 'xstate'
import type { Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'

type Event = { type: 'page.hidden' } | { type: 'page.shown' }

interface Context {
  uid: string
  picture: Blob | null
}

/** The latest picture of a stream, fetched every ten seconds while the page is visible. */
export const pictureMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as { uid: string } },
  actors: {
    fetchPicture: fromPromise<Reply<Blob>, { uid: string }>(notProvided),
    visibility: fromCallback(() => undefined),
  },
  delays: { refreshInterval: 10_000 },
}).createMachine({
  id: 'picture',
  context: ({ input }) => ({ uid: input.uid, picture: null }),
  invoke: { id: 'visibility', src: 'visibility' },
  initial: 'loading',
  on: { 'page.hidden': '.resting' },
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchPicture',
        src: 'fetchPicture',
        input: ({ context }) => ({ uid: context.uid }),
        onDone: {
          target: 'waiting',
          actions: assign(({ context, event }) => ({
            picture: event.output.ok ? event.output.value : context.picture,
          })),
        },
        onError: 'waiting',
      },
    },
    waiting: { after: { refreshInterval: 'loading' } },
    resting: { on: { 'page.shown': 'loading' } },
  },
})
