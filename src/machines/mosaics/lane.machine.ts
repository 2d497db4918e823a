import { type ActorRefFrom, assign, enqueueActions, fromCallback, sendTo, setup } from 'xstate'
import type { Refusal } from '../../api/reply.ts'
import type { mediaMachine } from '../player/media.machine.ts'
import type { Stretch } from '../player/stretch.ts'
import { clip, mergePieces, type Interval, type Piece } from '../timeline/intervals.ts'
import { rangesMachine } from '../timeline/timeline.actors.ts'
import type { TilesReport } from '../timeline/tiles.machine.ts'
import type { Tile } from '../timeline/tiles.ts'
import type { Period } from '../timeline/timeline-geometry.ts'
import { lookAt, stretchFor } from './lane-plan.ts'

/** The player of one tile. */
export type TileRef = ActorRefFrom<typeof mediaMachine>

export interface LaneInput {
  readonly uid: string
  readonly tile: TileRef
  readonly isAvailable: boolean
  readonly rangesMaxSeconds: number
  readonly playlistMaxSeconds: number
  readonly now: number
}

export type LaneEvent =
  /** Where the one clock stands; null while all is live. */
  | { readonly type: 'lane.ticked'; readonly at: number | null; readonly rate: number; readonly now: number }
  /** What the timeline shows; only a lane that can be seen asks for it. */
  | { readonly type: 'lane.periodChosen'; readonly period: Period; readonly width: number }
  | { readonly type: 'lane.seen'; readonly isSeen: boolean }
  | { readonly type: 'lane.leftLive' }
  | { readonly type: 'lane.joined' }
  /** Whether the stream can be had live. */
  | { readonly type: 'lane.availabilityChanged'; readonly isAvailable: boolean }
  /** Nobody looks: plays nothing until it is woken. */
  | { readonly type: 'lane.rested' }
  | { readonly type: 'lane.woken' }
  | (TilesReport<readonly Interval[]> & { readonly kind: 'ranges' })

interface Context extends LaneInput {
  at: number | null
  rate: number
  period: Period
  width: number
  isSeen: boolean
  intervals: readonly Interval[]
  refusal: Refusal | null
  aimed: Stretch | null
  /** The wall clock when it was aimed, epoch milliseconds. */
  aimedSince: number
}

/** What was recorded lately may not be known yet. */
const recentMs = 15 * 60_000
/** What comes next is asked for this long before its turn, in milliseconds of media: less than the archive stays behind live. */
const askAheadMs = 10_000
/** A tile whose stretch ended sooner than it should is aimed anew, but not over and over. */
const anewMs = 5000

/** Whether the clock has passed the end of what a tile could load, as where the server can't let a stretch grow. */
const isOutrun = ({ tile, at, now, aimedSince }: Pick<Context, 'tile' | 'at' | 'now' | 'aimedSince'>): boolean => {
  const { loaded } = tile.getSnapshot().context
  return loaded !== null && at !== null && at >= loaded.to && now - aimedSince > anewMs
}

/** Of what came after it was said nothing is known. */
function knownOf({ from, to, loadedAt, content }: Tile<readonly Interval[]>): Piece {
  const end = Math.max(from, Math.min(to, loadedAt))
  return { from, to: end, intervals: clip(content, from, end) }
}

/**
 * One camera of a mosaic's archive. It plays live while the mosaic does, when it is left live, or when its archive may not
 * be seen; otherwise it follows the one clock: through what is recorded, through gaps, where it waits for what follows, and
 * first of all finds out which of the two there is. The picture itself is kept at the clock past the machine, by `follow`.
 */
export const laneMachine = setup({
  types: { context: {} as Context, events: {} as LaneEvent, input: {} as LaneInput, children: {} as { ranges: 'ranges'; follow: 'follow' } },
  actors: { ranges: rangesMachine, follow: fromCallback<LaneEvent, { tile: TileRef }>(() => undefined) },
  actions: {
    tick: assign((_, { at, rate, now }: { at: number | null; rate: number; now: number }) => ({ at, rate, now })),
    choosePeriod: assign((_, { period, width }: { period: Period; width: number }) => ({ period, width })),
    see: assign((_, { isSeen }: { isSeen: boolean }) => ({ isSeen })),
    keep: assign((_, { tiles, refusal }: { tiles: readonly Tile<readonly Interval[]>[]; refusal: Refusal | null }) => ({
      intervals: mergePieces(tiles.map(knownOf)),
      refusal,
    })),
    takeAvailability: assign((_, { isAvailable }: { isAvailable: boolean }) => ({ isAvailable })),
    tellTime: sendTo('ranges', ({ context }) => ({ type: 'tiles.ticked', now: context.now })),
    tellPeriod: enqueueActions(({ context: { isSeen, period, width, now, at }, enqueue }) => {
      const moment = at ?? now
      enqueue.sendTo('ranges', { type: 'tiles.wanted', period: isSeen ? period : { from: moment, to: moment + 1 }, width, now })
    }),
    seek: sendTo('ranges', ({ context }) => ({ type: 'tiles.sought', at: context.at ?? context.now })),
    askAgain: enqueueActions(({ context: { at, now }, enqueue }) => {
      if (at !== null && at > now - recentMs) enqueue.sendTo('ranges', { type: 'tiles.outdated' })
    }),
    askAhead: enqueueActions(({ context: { at, now, intervals }, enqueue }) => {
      if (at === null || lookAt({ intervals, at: at + askAheadMs }) !== 'unknown') return
      enqueue.sendTo('ranges', { type: 'tiles.sought', at: at + askAheadMs })
      if (at > now - recentMs) enqueue.sendTo('ranges', { type: 'tiles.outdated' })
    }),
    /** What a tile holds is kept; anything else is loaded, never sought, since where it plays is the clock's to say. */
    aim: enqueueActions(({ context, enqueue }) => {
      if (context.at === null) return
      const held = isOutrun(context) ? null : context.aimed
      const aimed = stretchFor({ ...context, at: context.at, aimed: held })
      if (aimed === context.aimed) return
      enqueue.assign({ aimed, aimedSince: context.now })
      enqueue.sendTo(context.tile, { type: 'media.dropped' })
      if (aimed !== null) enqueue.sendTo(context.tile, { type: 'media.aimed', source: { kind: 'archive', uid: context.uid, ...aimed } })
    }),
    aimLive: enqueueActions(({ context: { tile, uid, isAvailable }, enqueue }) => {
      const held = tile.getSnapshot().context.source
      enqueue.assign({ aimed: null })
      if (isAvailable && held?.kind !== 'live') enqueue.sendTo(tile, { type: 'media.aimed', source: { kind: 'live', uid } })
      else if (!isAvailable && held !== null) enqueue.sendTo(tile, { type: 'media.dropped' })
    }),
    drop: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ aimed: null })
      enqueue.sendTo(context.tile, { type: 'media.dropped' })
    }),
  },
  guards: {
    isLive: ({ context }) => context.at === null,
    isArchive: ({ context }) => context.at !== null,
    isForbidden: ({ context }) => context.refusal?.status === 403,
    isUnknown: ({ context: { intervals, at } }) => at !== null && lookAt({ intervals, at }) === 'unknown',
    isRecorded: ({ context: { intervals, at } }) => at !== null && lookAt({ intervals, at }) === 'recorded',
    isInGap: ({ context: { intervals, at } }) => at !== null && lookAt({ intervals, at }) === 'gap',
  },
}).createMachine({
  id: 'lane',
  context: ({ input }) => ({
    ...input,
    at: null,
    rate: 1,
    period: { from: input.now, to: input.now + 1 },
    width: 0,
    isSeen: false,
    intervals: [],
    refusal: null,
    aimed: null,
    aimedSince: input.now,
  }),
  invoke: {
    id: 'ranges',
    src: 'ranges',
    input: ({ context: { uid, rangesMaxSeconds, period, width, now } }) => ({
      kind: 'ranges', streamId: uid, length: rangesMaxSeconds * 1000, period, width, now,
    }),
  },
  initial: 'deciding',
  on: {
    'lane.ticked': { actions: [{ type: 'tick', params: ({ event }) => event }, 'tellTime'] },
    'lane.periodChosen': { actions: [{ type: 'choosePeriod', params: ({ event }) => event }, 'tellPeriod'] },
    'lane.seen': { actions: [{ type: 'see', params: ({ event }) => event }, 'tellPeriod'] },
    'lane.availabilityChanged': { actions: { type: 'takeAvailability', params: ({ event }) => event } },
    'lane.rested': '.resting',
    'tiles.changed': { actions: { type: 'keep', params: ({ event }) => event } },
  },
  states: {
    deciding: {
      always: [{ guard: 'isLive', target: 'live' }, { guard: 'isForbidden', target: 'forbidden' }, { target: 'archive' }],
    },
    live: {
      entry: 'aimLive',
      always: { guard: 'isArchive', target: 'deciding' },
      on: { 'lane.availabilityChanged': { actions: [{ type: 'takeAvailability', params: ({ event }) => event }, 'aimLive'] }, 'lane.leftLive': 'left' },
    },
    left: {
      initial: 'watching',
      on: { 'lane.joined': 'deciding', 'lane.rested': '.resting' },
      states: {
        watching: {
          entry: 'aimLive',
          on: { 'lane.availabilityChanged': { actions: [{ type: 'takeAvailability', params: ({ event }) => event }, 'aimLive'] } },
        },
        resting: { entry: 'drop', on: { 'lane.woken': 'watching', 'lane.rested': {} } },
      },
    },
    forbidden: {
      entry: 'aimLive',
      always: { guard: 'isLive', target: 'live' },
      on: { 'lane.availabilityChanged': { actions: [{ type: 'takeAvailability', params: ({ event }) => event }, 'aimLive'] } },
    },
    archive: {
      initial: 'finding',
      invoke: { id: 'follow', src: 'follow', input: ({ context }) => ({ tile: context.tile }) },
      always: [{ guard: 'isLive', target: 'live' }, { guard: 'isForbidden', target: 'forbidden' }],
      on: { 'lane.leftLive': 'left' },
      states: {
        finding: {
          tags: 'busy',
          entry: ['seek', 'askAgain'],
          always: [{ guard: 'isRecorded', target: 'recorded' }, { guard: 'isInGap', target: 'inGap' }],
          on: { 'lane.ticked': { actions: [{ type: 'tick', params: ({ event }) => event }, 'tellTime', 'seek', 'askAgain'] } },
        },
        recorded: {
          entry: 'aim',
          always: [{ guard: 'isUnknown', target: 'finding' }, { guard: 'isInGap', target: 'inGap' }],
          on: { 'lane.ticked': { actions: [{ type: 'tick', params: ({ event }) => event }, 'tellTime', 'askAhead', 'aim'] } },
        },
        inGap: {
          entry: ['aim', 'askAgain'],
          always: [{ guard: 'isUnknown', target: 'finding' }, { guard: 'isRecorded', target: 'recorded' }],
          on: { 'lane.ticked': { actions: [{ type: 'tick', params: ({ event }) => event }, 'tellTime', 'askAhead', 'aim'] } },
        },
      },
    },
    resting: { entry: 'drop', on: { 'lane.woken': 'deciding', 'lane.rested': {} } },
  },
})

export type LaneRef = ActorRefFrom<typeof laneMachine>
