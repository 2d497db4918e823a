import { assign, cancel, enqueueActions, fromCallback, fromPromise, raise, sendParent, sendTo, setup } from 'xstate'
import type { Mosaic } from '../../api/contract/mosaic.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { Address, PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import { addressOf, liveAddress } from '../player/address.ts'
import { mediaMachine } from '../player/media.machine.ts'
import { takePageApiError } from '../notifications/page-error.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import { syncPlaybackMachine } from './sync-playback.machine.ts'
import type { MosaicContext, MosaicEvent, Environment } from './mosaic.events.ts'
import { inOrder, keyOf, type TileKey } from './mosaic-grid.ts'
import { picked } from './picking.ts'
import { slotsOf } from './tile-slots.ts'

type AddressChanged = Extract<MosaicEvent, { type: 'address.changed' }>

const silent = { volume: 0, isMuted: true }

/** An address of the archive opens it; any other is only taken. */
const toArchive = {
  guard: { type: 'isOfArchive' as const, params: ({ event }: { event: AddressChanged }) => event },
  target: 'conducted' as const,
  actions: { type: 'takeAddress' as const, params: ({ event }: { event: AddressChanged }) => event },
}

/**
 * Watching a mosaic: it is asked for every 10 s (docs/behaviour.md §10), with its lease extended while it plays, and each of its
 * tiles has a player of its own, so that one tile's failure never touches another. A tile whose stream is not available
 * is let go and taken again when it is; so is one that is out of sight for a while. A hidden page rests and plays nothing. While its
 * archive is open the synchronized playback decides what the tiles play.
 */
export const mosaicMachine = setup({
  types: {
    context: {} as MosaicContext,
    events: {} as MosaicEvent,
    input: {} as PageInput,
    children: {} as {
      [key: TileKey]: 'tile'
      fetchMosaic: 'fetchMosaic'
      visibility: 'visibility'
      syncPlayback: 'syncPlayback'
      readEnvironment: 'readEnvironment'
    },
  },
  actors: {
    fetchMosaic: fromPromise<Reply<Mosaic>, { id: string; extendLease: boolean }>(notProvided),
    tile: mediaMachine,
    syncPlayback: syncPlaybackMachine,
    readEnvironment: fromPromise<Environment, { timezone: string }>(notProvided),
    visibility: fromCallback(() => undefined),
  },
  actions: {
    take: assign({
      mosaic: (_args, { mosaic }: { mosaic: Mosaic }) => ({ ...mosaic, cells: inOrder(mosaic.cells) }),
      apiError: null,
    }),
    takeApiError: enqueueActions((machine, { apiError }: { apiError: ApiError }) =>
      takePageApiError(machine, apiError, machine.context.apiError),
    ),
    describe: sendParent((_args, { mosaic }: { mosaic: Mosaic }) => ({
      type: 'page.described',
      subject: { kind: 'mosaic', id: mosaic.id, name: mosaic.name, canAdmin: mosaic.meta.canAdmin },
    })),
    tellMissing: sendParent({ type: 'page.missing' }),
    fillSlots: enqueueActions(({ context, enqueue }) => {
      const keys = new Set<string>((context.mosaic?.cells ?? []).map(keyOf))
      for (const [key, tile] of Object.entries(context.tiles)) if (!keys.has(key)) enqueue.stopChild(tile)
      enqueue.assign({
        tiles: ({ context: { tiles }, spawn }) =>
          Object.fromEntries(
            (context.mosaic?.cells ?? [])
              .map(keyOf)
              .map((key) => [key, tiles[key] ?? spawn('tile', { id: key, input: { sound: silent, rate: 1 } })]),
          ),
      })
    }),
    see: assign({
      unseen: ({ context: { unseen } }, { key, isSeen }: { key: string; isSeen: boolean }) =>
        isSeen ? new Set([...unseen].filter((one) => one !== key)) : new Set([...unseen, key]),
    }),
    /** Every tile in sight plays what its cell shows, where it can be had; what it plays already goes on. */
    play: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ isPlaying: true })
      for (const { uid, tile, isAvailable, isSeen } of slotsOf(context)) {
        const { source } = tile.getSnapshot().context
        const isShown = isAvailable && isSeen
        if (isShown && source?.kind !== 'live')
          enqueue.sendTo(tile, { type: 'media.loadRequested', source: { kind: 'live', uid } })
        else if (!isShown && source !== null) enqueue.sendTo(tile, { type: 'media.unloadRequested' })
      }
    }),
    drop: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ isPlaying: false })
      for (const tile of Object.values(context.tiles)) enqueue.sendTo(tile, { type: 'media.unloadRequested' })
    }),
    pick: assign(({ context }, { digit }: { digit: string }) =>
      picked(context, digit, (context.mosaic?.cells ?? []).map(keyOf)),
    ),
    takeAddress: assign((_args, { address }: { address: Pick<Address, 'search'> }) => ({
      address: addressOf(address.search),
    })),
    tellSlots: sendTo('syncPlayback', ({ context }) => ({ type: 'slots.changed', slots: slotsOf(context) })),
    tellAddress: sendTo('syncPlayback', ({ context }) => ({ type: 'address.moved', address: context.address })),
    forgetAddress: assign({ address: liveAddress }),
    /** The address says nothing of the archive any more. */
    leaveArchive: (_args) => undefined,
    sound: enqueueActions(({ context, enqueue }, { key }: { key: string | null }) => {
      for (const [name, tile] of Object.entries(context.tiles)) {
        const volume = name === key ? 1 : 0
        if (name === key || name === context.focused) enqueue.sendTo(tile, { type: 'media.volumeChosen', volume })
      }
      enqueue.assign({ focused: key })
    }),
  },
  guards: {
    isOk: (_, { reply }: { reply: Reply<unknown> }) => reply.ok,
    isMissing: (_args, { apiError }: { apiError: ApiError }) =>
      apiError.status === 404 || apiError.code === 'ValidationError',
    startsInArchive: ({ context }) => context.address.at !== null,
    isOfArchive: (_args, { address }: { address: Pick<Address, 'search'> }) => addressOf(address.search).at !== null,
  },
  delays: {
    pollInterval: 10_000,
    digitPause: 1000,
    /** What goes out of sight may be back at once. */
    sightPause: ({ event }) => (event.type === 'tile.seen' && event.isSeen ? 0 : 5000),
  },
}).createMachine({
  id: 'mosaic',
  context: ({ input }) => ({
    id: input.params['id'] ?? '',
    mosaic: null,
    apiError: null,
    tiles: {},
    unseen: new Set(),
    isPlaying: true,
    focused: null,
    enlarged: null,
    typed: '',
    limits: input.settings,
    address: addressOf(input.address.search),
    environment: null,
  }),
  type: 'parallel',
  invoke: { id: 'visibility', src: 'visibility' },
  on: {
    'tile.focused': { actions: { type: 'sound', params: ({ event }) => event } },
    'tile.enlarged': { actions: assign({ enlarged: ({ event }) => event.key }) },
    'place.typed': {
      actions: [
        { type: 'pick', params: ({ event }) => event },
        cancel('place'),
        raise({ type: 'place.ended' }, { id: 'place', delay: 'digitPause' }),
      ],
    },
    'place.ended': { actions: assign({ typed: '' }) },
    'tile.seen': {
      actions: [
        { type: 'see', params: ({ event }) => event },
        cancel('sight'),
        raise({ type: 'mosaic.seated' }, { id: 'sight', delay: 'sightPause' }),
      ],
    },
  },
  states: {
    playback: {
      initial: 'starting',
      on: { 'address.changed': { actions: { type: 'takeAddress', params: ({ event }) => event } } },
      states: {
        starting: { always: [{ guard: 'startsInArchive', target: 'conducted' }, { target: 'playing' }] },
        playing: {
          entry: 'play',
          on: {
            'mosaic.seated': { actions: 'play' },
            'mosaic.paused': 'paused',
            'page.hidden': 'hidden',
            'archive.opened': 'conducted',
            'address.changed': toArchive,
          },
        },
        paused: {
          entry: 'drop',
          on: { 'mosaic.resumed': 'playing', 'archive.opened': 'conducted', 'address.changed': toArchive },
        },
        hidden: {
          entry: 'drop',
          on: { 'page.shown': [{ guard: 'startsInArchive', target: 'conducted' }, { target: 'playing' }] },
        },
        conducted: {
          entry: assign({ isPlaying: true }),
          initial: 'opening',
          on: {
            'archive.closed': { target: 'playing', actions: ['forgetAddress', 'leaveArchive'] },
            'mosaic.paused': { target: 'paused', actions: ['forgetAddress', 'leaveArchive'] },
          },
          states: {
            opening: {
              tags: 'busy',
              invoke: {
                id: 'readEnvironment',
                src: 'readEnvironment',
                input: ({ context }) => context.limits,
                onDone: { target: 'open', actions: assign({ environment: ({ event }) => event.output }) },
                onError: '#mosaic.playback.playing',
              },
            },
            open: {
              invoke: {
                id: 'syncPlayback',
                src: 'syncPlayback',
                input: ({ context }) => ({
                  slots: slotsOf(context),
                  limits: context.limits,
                  now: context.environment?.now ?? 0,
                  zone: context.environment?.zone ?? 'UTC',
                  address: context.address,
                }),
              },
              on: {
                'mosaic.seated': { actions: 'tellSlots' },
                'address.changed': { actions: [{ type: 'takeAddress', params: ({ event }) => event }, 'tellAddress'] },
              },
            },
          },
        },
      },
    },
    polling: {
      initial: 'asking',
      on: { 'page.hidden': '.resting', 'mosaic.retried': '.asking' },
      states: {
        asking: {
          tags: 'busy',
          invoke: {
            id: 'fetchMosaic',
            src: 'fetchMosaic',
            input: ({ context }) => ({ id: context.id, extendLease: context.isPlaying }),
            onDone: [
              {
                guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
                target: 'waiting',
                actions: enqueueActions(({ enqueue, event }) => {
                  if (!event.output.ok) return
                  enqueue({ type: 'take', params: { mosaic: event.output.value } })
                  enqueue({ type: 'describe', params: { mosaic: event.output.value } })
                  enqueue('fillSlots')
                  enqueue.raise({ type: 'mosaic.seated' })
                }),
              },
              {
                guard: { type: 'isMissing', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
                target: 'missing',
                actions: 'tellMissing',
              },
              {
                target: 'waiting',
                actions: { type: 'takeApiError', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
              },
            ],
            onError: { target: 'waiting', actions: { type: 'takeApiError', params: { apiError: unknownApiError } } },
          },
        },
        waiting: { after: { pollInterval: 'asking' } },
        resting: { on: { 'page.shown': 'asking' } },
        missing: { on: { 'page.hidden': {} } },
      },
    },
  },
})
