import { assign, fromPromise, sendParent, setup } from 'xstate'
import type { Camera, FoundCameras } from '../../api/contract/onvif.ts'
import type { Reply } from '../../api/reply.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import { notProvided } from '../not-provided.ts'
import type { Credentials } from './source-credentials.ts'
import type { TakenCamera } from './camera-sources.ts'
import {
  areAllChosen,
  type CameraOutcome,
  type CameraBody,
  currentAddress,
  type FindCamerasContext,
  merged,
  pictureQuestion,
  type PictureQuestion,
  pictureWanted,
  takenCount,
  takenOf,
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
  | { type: 'cameras.toggled' }
  | { type: 'credentials.edited'; credentials: Partial<Credentials> }
  | { type: 'cameras.asked' }
  | { type: 'asking.cancelled' }
  | { type: 'cameras.chosen' }

/** What the page gets. */
export type CamerasTaken = { type: 'cameras.taken'; cameras: readonly TakenCamera[] }

/**
 * Finding cameras by ONVIF, side by side: the search, asking the chosen ones with one login and password, and a picture
 * of each that was reached. Cameras are asked one after another, each with its own outcome; one that was reached isn't
 * asked again.
 */
export const findCamerasMachine = setup({
  types: { context: {} as FindCamerasContext, events: {} as FindCamerasEvent },
  actors: {
    search: fromPromise<Reply<FoundCameras>>(notProvided),
    ask: fromPromise<Reply<Camera>, CameraBody>(notProvided),
    fetchPicture: fromPromise<Reply<Blob>, PictureQuestion>(notProvided),
  },
  actions: {
    list: assign(({ context }, { reply }: { reply: Reply<FoundCameras> }) =>
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
    fill: assign(({ context }) => ({ queue: waitingIds(context) })),
    settle: assign(({ context }, { reply }: { reply: Reply<Camera> }) => {
      const [id, ...queue] = context.queue
      if (id === undefined) return {}
      const outcome: CameraOutcome = reply.ok
        ? { isKnown: true, camera: reply.value, credentials: context.credentials }
        : { isKnown: false, apiError: reply.apiError }
      return { queue, outcomes: { ...context.outcomes, [id]: outcome } }
    }),
    keepPicture: assign(({ context }, { picture }: { picture: Blob | null }) => ({
      pictures: { ...context.pictures, [context.picturing]: picture },
    })),
    take: sendParent(({ context }): CamerasTaken => ({ type: 'cameras.taken', cameras: takenOf(context) })),
  },
  guards: {
    hasAddress: ({ context }) => context.address.trim() !== '',
    hasWaiting: ({ context }) => waitingIds(context).length > 0,
    isEmpty: ({ context }) => context.queue.length === 0,
    hasTaken: ({ context }) => takenCount(context) > 0,
    isPictureWanted: ({ context }) => pictureWanted(context) !== undefined,
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
    'cameras.chosen': { guard: 'hasTaken', actions: 'take' },
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
            onDone: { target: 'over', actions: { type: 'list', params: ({ event }) => ({ reply: event.output }) } },
            onError: { target: 'over', actions: assign({ searchError: unknownApiError }) },
          },
          on: { 'search.cancelled': 'over' },
        },
        over: { on: { 'search.requested': { target: 'searching', actions: assign({ searchError: null }) } } },
      },
    },
    asking: {
      initial: 'idle',
      states: {
        idle: {
          on: {
            'credentials.edited': {
              actions: assign({
                credentials: ({ context, event }) => ({ ...context.credentials, ...event.credentials }),
              }),
            },
            'cameras.asked': { guard: 'hasWaiting', target: 'choosing', actions: 'fill' },
          },
        },
        choosing: { always: [{ guard: 'isEmpty', target: 'idle' }, { target: 'asking' }] },
        asking: {
          on: { 'asking.cancelled': { target: 'idle', actions: assign({ queue: [] }) } },
          invoke: {
            id: 'ask',
            src: 'ask',
            input: ({ context }) => ({ address: currentAddress(context), ...context.credentials }),
            onDone: {
              target: 'choosing',
              actions: { type: 'settle', params: ({ event }) => ({ reply: event.output }) },
            },
            onError: {
              target: 'choosing',
              actions: { type: 'settle', params: { reply: { ok: false, apiError: unknownApiError } } },
            },
          },
        },
      },
    },
    picturing: {
      initial: 'idle',
      states: {
        idle: {
          always: {
            guard: 'isPictureWanted',
            target: 'fetching',
            actions: assign({ picturing: ({ context }) => pictureWanted(context) ?? '' }),
          },
        },
        fetching: {
          invoke: {
            id: 'fetchPicture',
            src: 'fetchPicture',
            input: ({ context }) => pictureQuestion(context),
            onDone: {
              target: 'idle',
              actions: {
                type: 'keepPicture',
                params: ({ event }) => ({ picture: event.output.ok ? event.output.value : null }),
              },
            },
            onError: { target: 'idle', actions: { type: 'keepPicture', params: { picture: null } } },
          },
        },
      },
    },
  },
})
