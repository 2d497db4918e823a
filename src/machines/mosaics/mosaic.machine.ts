import { type ActorRefFrom, assign, enqueueActions, fromCallback, fromPromise, sendParent, setup } from 'xstate'
import type { Mosaic } from '../../api/contract/mosaic.ts'
import type { Settings } from '../../api/contract/settings.ts'
import type { Refusal, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import { mediaMachine } from '../player/media.machine.ts'
import type { MediaReport } from '../player/media.events.ts'
import { refusalOf, unknownRefusal } from '../refusals.ts'
import { isStreamAvailable } from '../stream/stream.selectors.ts'
import { keyOf } from './mosaic-grid.ts'

export type TileRef = ActorRefFrom<typeof mediaMachine>

type Event =
  | MediaReport
  | { type: 'page.hidden' }
  | { type: 'page.shown' }
  | { type: 'mosaic.retried' }
  | { type: 'mosaic.seated' }
  | { type: 'mosaic.paused' }
  | { type: 'mosaic.resumed' }
  /** The sound is that of one tile; null silences all. */
  | { type: 'tile.focused'; key: string | null }
  | { type: 'tile.enlarged'; key: string | null }

interface Context {
  id: string
  mosaic: Mosaic | null
  refusal: Refusal | null
  /** The player of each tile, by the key of its cell. */
  tiles: Readonly<Record<string, TileRef>>
  isPlaying: boolean
  focused: string | null
  enlarged: string | null
  limits: Pick<Settings, 'clusterEnabled' | 'nodeId'>
}

const playable: ReadonlySet<string> = new Set(['running', 'pending'])
const silent = { volume: 0, isMuted: true }

/**
 * Watching a mosaic: it is asked for every 10 s (spec.md §4), with its lease extended while it plays, and each of its
 * tiles has a player of its own, so that one tile's failure never touches another. A tile whose stream is not available
 * is let go and taken again when it is. A hidden page rests and plays nothing.
 */
export const mosaicMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as PageInput },
  actors: {
    fetchMosaic: fromPromise<Reply<Mosaic>, { id: string; extendLease: boolean }>(notProvided),
    tile: mediaMachine,
    visibility: fromCallback(() => undefined),
  },
  actions: {
    take: assign({ mosaic: (_args, { mosaic }: { mosaic: Mosaic }) => mosaic, refusal: null }),
    takeRefusal: assign({ refusal: (_args, { refusal }: { refusal: Refusal }) => refusal }),
    describe: sendParent((_args, { mosaic }: { mosaic: Mosaic }) => ({
      type: 'page.described',
      subject: { kind: 'mosaic', id: mosaic.id, name: mosaic.name, canAdmin: mosaic.meta.canAdmin },
    })),
    tellMissing: sendParent({ type: 'page.missing' }),
    seat: enqueueActions(({ context, enqueue }) => {
      const keys = new Set((context.mosaic?.cells ?? []).map(keyOf))
      for (const [key, tile] of Object.entries(context.tiles)) if (!keys.has(key)) enqueue.stopChild(tile)
      enqueue.assign({
        tiles: ({ context: { tiles }, spawn }) =>
          Object.fromEntries([...keys].map((key) => [key, tiles[key] ?? spawn('tile', { id: key, input: { sound: silent, rate: 1 } })])),
      })
    }),
    /** Every tile plays what its cell shows, where it can be had; what it plays already goes on. */
    play: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ isPlaying: true })
      for (const cell of context.mosaic?.cells ?? []) {
        const tile = context.tiles[keyOf(cell)]
        if (tile === undefined) continue
        const stream = context.mosaic?.streams?.find(({ uid }) => uid === cell.streamUid)
        const isHeld = tile.getSnapshot().context.source !== null
        if (stream !== undefined && isStreamAvailable(stream, context.limits) && playable.has(stream.status)) {
          if (!isHeld) enqueue.sendTo(tile, { type: 'media.aimed', source: { kind: 'live', uid: cell.streamUid } })
        } else if (isHeld) enqueue.sendTo(tile, { type: 'media.dropped' })
      }
    }),
    drop: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ isPlaying: false })
      for (const tile of Object.values(context.tiles)) enqueue.sendTo(tile, { type: 'media.dropped' })
    }),
    sound: enqueueActions(({ context, enqueue }, { key }: { key: string | null }) => {
      for (const [name, tile] of Object.entries(context.tiles)) {
        const volume = name === key ? 1 : 0
        if (name === key || name === context.focused) enqueue.sendTo(tile, { type: 'media.volumeChosen', volume })
      }
      enqueue.assign({ focused: key })
    }),
  },
  guards: {
    isMissing: (_args, { refusal }: { refusal: Refusal }) => refusal.status === 404 || refusal.code === 'ValidationError',
  },
  delays: { pollInterval: 10_000 },
}).createMachine({
  id: 'mosaic',
  context: ({ input }) => ({
    id: input.params['id'] ?? '',
    mosaic: null,
    refusal: null,
    tiles: {},
    isPlaying: true,
    focused: null,
    enlarged: null,
    limits: input.settings,
  }),
  type: 'parallel',
  invoke: { id: 'visibility', src: 'visibility' },
  on: {
    'tile.focused': { actions: { type: 'sound', params: ({ event }) => event } },
    'tile.enlarged': { actions: assign({ enlarged: ({ event }) => event.key }) },
  },
  states: {
    playback: {
      initial: 'playing',
      states: {
        playing: {
          entry: 'play',
          on: { 'mosaic.seated': { actions: 'play' }, 'mosaic.paused': 'paused', 'page.hidden': 'hidden' },
        },
        paused: { entry: 'drop', on: { 'mosaic.resumed': 'playing' } },
        hidden: { entry: 'drop', on: { 'page.shown': 'playing' } },
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
                guard: ({ event }) => event.output.ok,
                target: 'waiting',
                actions: enqueueActions(({ enqueue, event }) => {
                  if (!event.output.ok) return
                  enqueue({ type: 'take', params: { mosaic: event.output.value } })
                  enqueue({ type: 'describe', params: { mosaic: event.output.value } })
                  enqueue('seat')
                  enqueue.raise({ type: 'mosaic.seated' })
                }),
              },
              {
                guard: { type: 'isMissing', params: ({ event }) => ({ refusal: refusalOf(event.output) }) },
                target: 'missing',
                actions: 'tellMissing',
              },
              { target: 'waiting', actions: { type: 'takeRefusal', params: ({ event }) => ({ refusal: refusalOf(event.output) }) } },
            ],
            onError: { target: 'waiting', actions: { type: 'takeRefusal', params: { refusal: unknownRefusal } } },
          },
        },
        waiting: { after: { pollInterval: 'asking' } },
        resting: { on: { 'page.shown': 'asking' } },
        missing: {},
      },
    },
  },
})
