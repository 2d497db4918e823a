import { type ActorRefFrom, assign, fromCallback, fromPromise, setup, type SnapshotFrom } from 'xstate'
import { notProvided } from '../not-provided.ts'

/** Moments in epoch milliseconds. */
export interface StillsRequest {
  readonly streamId: string
  readonly moments: readonly number[]
}

export type ThumbnailsEvent =
  | { readonly type: 'thumbnails.toggled' }
  /** The strip shows other moments. */
  | { readonly type: 'thumbnails.viewed'; readonly moments: readonly number[] }

export type ThumbnailsRef = ActorRefFrom<typeof thumbnailsMachine>

/**
 * The stills along a timeline, off unless the user turns them on. Once the timeline rests, the pictures of the visible
 * moments are fetched; a move cancels what is still on its way. The pictures are kept outside of the machine.
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
