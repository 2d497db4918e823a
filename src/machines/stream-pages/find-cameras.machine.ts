import { assign, fromPromise, sendParent, setup } from 'xstate'
import type { Camera, FoundCameras } from '../../api/contract/onvif.ts'
import type { Reply } from '../../api/reply.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import { notProvided } from '../not-provided.ts'
import { afterQueueRequest } from './queue-request.ts'
import type { Credentials } from './source-credentials.ts'
import type { SelectedCamera } from './camera-sources.ts'
import {
  areAllChosen,
  type CameraOutcome,
  type CameraQuery,
  currentAddress,
  type FindCamerasContext,
  merged,
  pictureQuery,
  type PictureQuery,
  missingPicture,
  selectedCount,
  selectedCameras,
  typedCamera,
  waitingIds,
} from './found-cameras.ts'

export type FindCamerasEvent =
  | { type: 'search.opened' }
  | { type: 'search.requested' }
  | { type: 'search.cancelled' }
  | { type: 'address.edited'; address: string }
  | { type: 'address.added' }
  | { type: 'camera.toggled'; id: string }
  /** Selects all cameras, or none if all are selected. */
  | { type: 'cameras.toggled' }
  | { type: 'credentials.edited'; credentials: Partial<Credentials> }
  | { type: 'cameras.queried' }
  | { type: 'querying.cancelled' }
  /** Goes on with the selected cameras that answered. */
  | { type: 'cameras.chosen' }

/** To the page: the selected cameras that answered. */
export type CamerasSelected = { type: 'cameras.selected'; cameras: readonly SelectedCamera[] }

/**
 * Finds cameras by ONVIF. Three regions run in parallel: `search` finds them; `querying` asks the selected ones for
 * their profiles, with one login and password, one after another, each with its own outcome; `picturing` fetches a
 * picture of each camera that answered. A camera that answered isn't queried again.
 */
export const findCamerasMachine = setup({
  types: { context: {} as FindCamerasContext, events: {} as FindCamerasEvent },
  actors: {
    search: fromPromise<Reply<FoundCameras>>(notProvided),
    queryCamera: fromPromise<Reply<Camera>, CameraQuery>(notProvided),
    fetchPicture: fromPromise<Reply<Blob>, PictureQuery>(notProvided),
  },
  actions: {
    assignFound: assign(({ context }, { reply }: { reply: Reply<FoundCameras> }) =>
      reply.ok
        ? { cameras: merged(context, reply.value.items), searchError: null }
        : { searchError: apiErrorOf(reply) },
    ),
    addTyped: assign(({ context }) => {
      const camera = typedCamera(context.address.trim())
      const isListed = context.cameras.some(({ id }) => id === camera.id)
      return {
        address: '',
        cameras: isListed ? context.cameras : [...context.cameras, camera],
        chosen: [...new Set([...context.chosen, camera.id])],
      }
    }),
    fillQueue: assign(({ context }) => ({ queue: waitingIds(context) })),
    assignOutcome: assign(({ context }, { reply }: { reply: Reply<Camera> }) => {
      const [id, ...queue] = context.queue
      if (id === undefined) return {}
      const outcome: CameraOutcome = reply.ok
        ? { isConnected: true, camera: reply.value, credentials: context.credentials }
        : { isConnected: false, apiError: reply.apiError }
      const stillChosen = queue.filter((other) => context.chosen.includes(other))
      return { queue: stillChosen, outcomes: { ...context.outcomes, [id]: outcome } }
    }),
    assignPicture: assign(({ context }, { picture }: { picture: Blob | null }) => ({
      pictures: { ...context.pictures, [context.picturing]: picture },
    })),
    reportSelected: sendParent(({ context }): CamerasSelected => ({
      type: 'cameras.selected',
      cameras: selectedCameras(context),
    })),
  },
  guards: {
    hasAddress: ({ context }) => context.address.trim() !== '',
    hasWaiting: ({ context }) => waitingIds(context).length > 0,
    isQueueEmpty: ({ context }) => context.queue.length === 0,
    hasSelected: ({ context }) => selectedCount(context) > 0,
    isPictureMissing: ({ context }) => missingPicture(context) !== undefined,
  },
}).createMachine({
  id: 'findCameras',
  context: {
    cameras: [],
    searchError: null,
    address: '',
    chosen: [],
    credentials: { login: '', password: '' },
    outcomes: {},
    queue: [],
    pictures: {},
    picturing: '',
  },
  type: 'parallel',
  on: {
    'address.edited': { actions: assign({ address: ({ event }) => event.address }) },
    'address.added': { guard: 'hasAddress', actions: 'addTyped' },
    'camera.toggled': {
      actions: assign({
        chosen: ({ context: { chosen }, event: { id } }) =>
          chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id],
      }),
    },
    'cameras.toggled': {
      actions: assign({
        chosen: ({ context }) => (areAllChosen(context) ? [] : context.cameras.map(({ id }) => id)),
      }),
    },
    'cameras.chosen': { guard: 'hasSelected', actions: 'reportSelected' },
  },
  states: {
    search: {
      initial: 'unopened',
      states: {
        unopened: { on: { 'search.opened': 'searching' } },
        searching: {
          invoke: {
            id: 'search',
            src: 'search',
            onDone: {
              target: 'over',
              actions: { type: 'assignFound', params: ({ event }) => ({ reply: event.output }) },
            },
            onError: { target: 'over', actions: assign({ searchError: unknownApiError }) },
          },
          on: { 'search.cancelled': 'over' },
        },
        over: { on: { 'search.requested': { target: 'searching', actions: assign({ searchError: null }) } } },
      },
    },
    querying: {
      initial: 'idle',
      states: {
        idle: {
          on: {
            'credentials.edited': {
              actions: assign({
                credentials: ({ context, event }) => ({ ...context.credentials, ...event.credentials }),
              }),
            },
            'cameras.queried': { guard: 'hasWaiting', target: 'deciding', actions: 'fillQueue' },
          },
        },
        deciding: { always: [{ guard: 'isQueueEmpty', target: 'idle' }, { target: 'querying' }] },
        querying: {
          on: { 'querying.cancelled': { target: 'idle', actions: assign({ queue: [] }) } },
          invoke: {
            id: 'queryCamera',
            src: 'queryCamera',
            input: ({ context }) => ({ address: currentAddress(context), ...context.credentials }),
            ...afterQueueRequest<Camera>(),
          },
        },
      },
    },
    picturing: {
      initial: 'idle',
      states: {
        idle: {
          always: {
            guard: 'isPictureMissing',
            target: 'fetching',
            actions: assign({ picturing: ({ context }) => missingPicture(context) ?? '' }),
          },
        },
        fetching: {
          invoke: {
            id: 'fetchPicture',
            src: 'fetchPicture',
            input: ({ context }) => pictureQuery(context),
            onDone: {
              target: 'idle',
              actions: {
                type: 'assignPicture',
                params: ({ event }) => ({ picture: event.output.ok ? event.output.value : null }),
              },
            },
            onError: { target: 'idle', actions: { type: 'assignPicture', params: { picture: null } } },
          },
        },
      },
    },
  },
})
