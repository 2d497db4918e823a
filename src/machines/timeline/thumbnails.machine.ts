import { type ActorRefFrom, assign, fromCallback, fromPromise, setup, type SnapshotFrom } from 'xstate'
import { notProvided } from '../not-provided.ts'

/** The stills of a stream at some moments. */
export interface StillsRequest {
  readonly streamId: string
  readonly moments: readonly number[]
}

export type ThumbnailsEvent =
  | { readonly type: 'thumbnails.toggled' }
  /** The strip shows these moments. */
  | { readonly type: 'thumbnails.viewed'; readonly moments: readonly number[] }

export type ThumbnailsRef = ActorRefFrom<typeof thumbnailsMachine>

/**
 * The thumbnails above a timeline, which are off until the user turns them on. Once the timeline rests, the stills of
 * the visible moments are fetched; a move of the timeline cancels the requests in progress. The wiring keeps the
 * pictures.
 */
export const thumbnailsMachine = setup({
  types: {
    context: {} as StillsRequest,
    events: {} as ThumbnailsEvent,
    input: {} as { streamId: string },
  },
  actors: {
    fetchStills: fromPromise<undefined, StillsRequest>(notProvided),
    /** Clears the pictures when the stills are turned off or the machine stops. */
    holdStills: fromCallback(() => undefined),
  },
  actions: {
    assignMoments: assign((_, { moments }: { moments: readonly number[] }) => ({ moments })),
    /** Stores whether thumbnails are on; provided by the wiring, as is the guard that reads it. */
    storeSetting: (_, _params: { isOn: boolean }) => undefined,
  },
  guards: { isStoredOn: (): boolean => false },
  delays: { rest: 250 },
}).createMachine({
  id: 'thumbnails',
  context: ({ input: { streamId } }) => ({ streamId, moments: [] }),
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'isStoredOn', target: 'on' }, { target: 'off' }] },
    off: {
      on: { 'thumbnails.toggled': { target: 'on', actions: { type: 'storeSetting', params: { isOn: true } } } },
    },
    on: {
      invoke: { id: 'holdStills', src: 'holdStills' },
      initial: 'idle',
      on: {
        'thumbnails.toggled': { target: 'off', actions: { type: 'storeSetting', params: { isOn: false } } },
        'thumbnails.viewed': {
          target: '.moving',
          actions: { type: 'assignMoments', params: ({ event }) => event },
        },
      },
      states: {
        idle: {},
        moving: { after: { rest: 'fetching' } },
        fetching: {
          tags: 'busy',
          invoke: {
            id: 'fetchStills',
            src: 'fetchStills',
            input: ({ context }) => context,
            onDone: 'idle',
            onError: 'idle',
          },
        },
      },
    },
  },
})

export const selectAreThumbnailsOn = (snapshot: SnapshotFrom<typeof thumbnailsMachine> | undefined): boolean =>
  snapshot?.matches('on') === true
