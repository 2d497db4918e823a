import { assign, fromCallback, fromPromise, setup, type SnapshotFrom } from 'xstate'
import { notProvided } from '../not-provided.ts'

/** A moment of the archive; null: live. */
interface Subject {
  readonly at: number | null
}

type WaitingPictureEvent = ({ readonly type: 'picture.awaited' } & Subject) | { readonly type: 'picture.cancelled' }

interface Context {
  uid: string
  at: number | null
  /** The object URL of the preview; null until it is fetched, and if there is none. */
  url: string | null
}

/**
 * The preview that is shown while the video of a stream loads: fetched if the video takes longer than a moment, and
 * released once the video is awaited no longer, or at another moment.
 */
export const waitingPictureMachine = setup({
  types: { context: {} as Context, events: {} as WaitingPictureEvent, input: {} as { uid: string } },
  actors: {
    fetchPicture: fromPromise<string | null, { uid: string; at: number | null }>(notProvided),
    /** Releases the picture when the machine leaves `waiting`, or stops. */
    holdPictures: fromCallback(() => undefined),
  },
  actions: {
    assignSubject: assign((_, { at }: Subject) => ({ at })),
    assignPicture: assign((_, { url }: { url: string | null }) => ({ url })),
  },
  guards: { isSame: ({ context }, { at }: Subject) => context.at === at },
  delays: { pause: 120 },
}).createMachine({
  id: 'waitingPicture',
  context: ({ input }) => ({ uid: input.uid, at: null, url: null }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'picture.awaited': { target: 'waiting', actions: { type: 'assignSubject', params: ({ event }) => event } },
      },
    },
    waiting: {
      initial: 'pausing',
      invoke: { id: 'holdPictures', src: 'holdPictures' },
      exit: { type: 'assignPicture', params: { url: null } },
      on: {
        'picture.awaited': [
          { guard: { type: 'isSame', params: ({ event }) => event } },
          { target: 'waiting', reenter: true, actions: { type: 'assignSubject', params: ({ event }) => event } },
        ],
        'picture.cancelled': 'idle',
      },
      states: {
        pausing: { after: { pause: 'fetching' } },
        fetching: {
          invoke: {
            id: 'fetchPicture',
            src: 'fetchPicture',
            input: ({ context: { uid, at } }) => ({ uid, at }),
            onDone: {
              target: 'settled',
              actions: { type: 'assignPicture', params: ({ event }) => ({ url: event.output }) },
            },
            onError: 'settled',
          },
        },
        settled: {},
      },
    },
  },
})

export const selectPictureUrl = (snapshot: SnapshotFrom<typeof waitingPictureMachine> | undefined): string | null =>
  snapshot?.context.url ?? null
