import type { TimeRange } from '../../api/contract/time-range.ts'
import { type ActorRefFrom, assign, enqueueActions, fromCallback, sendTo, setup } from 'xstate'
import type { ApiError } from '../../api/reply.ts'
import { mergeChunks, type Interval } from '../timeline/intervals.ts'
import { rangesMachine } from '../timeline/timeline.actors.ts'
import type { RangeChunk } from '../timeline/chunks.ts'
import type { TileRef, TrackContext, TrackEvent, TrackInput } from './track.events.ts'
import { isOutsideLoaded, knownIntervals, recordedAt, rangeFor } from './track-plan.ts'

/** Recorded ranges this recent may be incomplete, and are fetched again. */
const recentMs = 15 * 60_000
/**
 * Recorded ranges are fetched this far ahead of the clock, which is less than the archive is behind live. Backwards it
 * is multiplied by the rate.
 */
const fetchAheadMs = 10_000

type Ticked = Extract<TrackEvent, { type: 'track.ticked' }>

const followClock = {
  'track.ticked': {
    actions: [{ type: 'tick', params: ({ event }: { event: Ticked }) => event }, 'notifyTime', 'fetchAhead', 'load'],
  },
} as const

type AvailabilityChanged = Extract<TrackEvent, { type: 'track.availabilityChanged' }>

const followAvailability = {
  'track.availabilityChanged': {
    actions: [{ type: 'assignAvailability', params: ({ event }: { event: AvailabilityChanged }) => event }, 'loadLive'],
  },
} as const

/**
 * One camera in synchronized playback: what its tile shows at the moment of the shared clock. The tile plays live while
 * all tiles are live (`live`), when it was left live (`left`), and while the user may not view the archive
 * (`forbidden`). In `archive` the track first finds out whether the moment is recorded, then follows the clock through
 * recordings and gaps. The actor `follow`, outside the machines, keeps the picture at the clock.
 */
export const trackMachine = setup({
  types: {
    context: {} as TrackContext,
    events: {} as TrackEvent,
    input: {} as TrackInput,
    children: {} as { ranges: 'ranges'; follow: 'follow' },
  },
  actors: { ranges: rangesMachine, follow: fromCallback<TrackEvent, { tile: TileRef }>(() => undefined) },
  actions: {
    tick: enqueueActions(
      ({ context, enqueue }, { at, rate, now }: { at: number | null; rate: number; now: number }) => {
        enqueue.assign({ at, rate, now })
        if (rate !== context.rate) enqueue.sendTo(context.tile, { type: 'media.sharedRateChanged', rate })
      },
    ),
    assignPeriod: assign((_, { period, width }: { period: TimeRange; width: number }) => ({ period, width })),
    assignSeen: assign((_, { isSeen }: { isSeen: boolean }) => ({ isSeen })),
    assignChunks: assign(
      (_, { chunks, apiError }: { chunks: readonly RangeChunk<readonly Interval[]>[]; apiError: ApiError | null }) => ({
        intervals: mergeChunks(chunks.map(knownIntervals)),
        apiError,
      }),
    ),
    assignAvailability: assign((_, { isAvailable, isLost }: AvailabilityChanged) => ({ isAvailable, isLost })),
    notifyTime: sendTo('ranges', ({ context }) => ({ type: 'chunks.ticked', now: context.now })),
    /** Requests the recorded ranges of the period or, out of sight, of the moment alone. */
    notifyPeriod: enqueueActions(({ context: { isSeen, period, width, now, at }, enqueue }) => {
      const moment = at ?? now
      enqueue.sendTo('ranges', {
        type: 'chunks.requested',
        period: isSeen ? period : { from: moment, to: moment + 1 },
        width,
        now,
      })
    }),
    requestAgain: sendTo('ranges', { type: 'chunks.permitted' }),
    requestRanges: sendTo('ranges', ({ context }) => ({ type: 'chunks.prioritized', at: context.at ?? context.now })),
    /** Fetches again what was a gap, if the moment is recent. */
    refetchRecent: enqueueActions(({ context: { at, now }, enqueue }) => {
      if (at !== null && at > now - recentMs) enqueue.sendTo('ranges', { type: 'chunks.outdated' })
    }),
    fetchAhead: enqueueActions(({ context: { at, rate, now, intervals }, enqueue }) => {
      if (at === null) return
      const ahead = at + fetchAheadMs * (rate < 0 ? rate : 1)
      if (recordedAt({ intervals, at: ahead }) !== 'unknown') return
      enqueue.sendTo('ranges', { type: 'chunks.prioritized', at: ahead })
      if (at > now - recentMs) enqueue.sendTo('ranges', { type: 'chunks.outdated' })
    }),
    /** Loads the range of the moment unless the tile has it already; within it, the sync controller seeks. */
    load: enqueueActions(({ context, enqueue }) => {
      if (context.at === null) return
      const { loaded, source } = context.tile.getSnapshot().context
      const before = isOutsideLoaded({ ...context, loaded, source }) ? null : context.requested
      const requested = rangeFor({ ...context, at: context.at, requested: before })
      if (requested === context.requested) return
      enqueue.assign({ requested, requestedSince: context.now })
      enqueue.sendTo(context.tile, { type: 'media.unloadRequested' })
      if (requested === null) return
      enqueue.sendTo(context.tile, { type: 'media.sharedRateChanged', rate: context.rate })
      enqueue.sendTo(context.tile, {
        type: 'media.loadRequested',
        source: { kind: 'archive', uid: context.uid, ...requested },
      })
    }),
    loadLive: enqueueActions(({ context: { tile, uid, isAvailable, isLost }, enqueue }) => {
      const source = tile.getSnapshot().context.source
      enqueue.assign({ requested: null })
      if (isAvailable && source?.kind !== 'live')
        enqueue.sendTo(tile, { type: 'media.loadRequested', source: { kind: 'live', uid } })
      else if (!isAvailable && source !== null) {
        if (isLost) enqueue.sendTo(tile, { type: 'media.lossReported' })
        enqueue.sendTo(tile, { type: 'media.unloadRequested' })
      }
    }),
    unload: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ requested: null })
      enqueue.sendTo(context.tile, { type: 'media.unloadRequested' })
    }),
    /** The sync controller would pause it or change its rate, which nothing would undo after the archive. */
    unloadLive: enqueueActions(({ context: { tile }, enqueue }) => {
      if (tile.getSnapshot().context.source?.kind === 'live') enqueue.sendTo(tile, { type: 'media.unloadRequested' })
    }),
  },
  guards: {
    isLive: ({ context }) => context.at === null,
    isArchive: ({ context }) => context.at !== null,
    isForbidden: ({ context }) => context.apiError?.status === 403,
    /** Only a missing right comes back with the stream's `meta`; an expired licence isn't in it. */
    lacksRight: ({ context: { apiError } }) => apiError?.status === 403 && ['', 'Forbidden'].includes(apiError.code),
    isPermitted: ({ context }) => context.apiError === null,
    isUnknown: ({ context: { intervals, at } }) => at !== null && recordedAt({ intervals, at }) === 'unknown',
    isRecorded: ({ context: { intervals, at } }) => at !== null && recordedAt({ intervals, at }) === 'recorded',
    isInGap: ({ context: { intervals, at } }) => at !== null && recordedAt({ intervals, at }) === 'gap',
  },
}).createMachine({
  id: 'track',
  context: ({ input }) => ({
    ...input,
    at: null,
    rate: 1,
    period: { from: input.now, to: input.now + 1 },
    width: 0,
    isSeen: false,
    intervals: [],
    apiError: null,
    requested: null,
    requestedSince: input.now,
  }),
  invoke: {
    id: 'ranges',
    src: 'ranges',
    input: ({ context: { uid, rangesMaxSeconds, period, width, now } }) => ({
      kind: 'ranges',
      streamId: uid,
      lengthMs: rangesMaxSeconds * 1000,
      period,
      width,
      now,
    }),
  },
  initial: 'deciding',
  on: {
    'track.ticked': { actions: [{ type: 'tick', params: ({ event }) => event }, 'notifyTime'] },
    'track.periodChosen': { actions: [{ type: 'assignPeriod', params: ({ event }) => event }, 'notifyPeriod'] },
    'track.seen': { actions: [{ type: 'assignSeen', params: ({ event }) => event }, 'notifyPeriod'] },
    'track.availabilityChanged': { actions: { type: 'assignAvailability', params: ({ event }) => event } },
    'track.permitted': { guard: 'lacksRight', actions: 'requestAgain' },
    'track.rested': '.resting',
    'chunks.changed': { actions: { type: 'assignChunks', params: ({ event }) => event } },
  },
  states: {
    deciding: {
      always: [
        { guard: 'isLive', target: 'live' },
        { guard: 'isForbidden', target: 'forbidden' },
        { target: 'archive' },
      ],
    },
    live: {
      entry: 'loadLive',
      always: { guard: 'isArchive', target: 'deciding' },
      on: { ...followAvailability, 'track.leftLive': 'left' },
    },
    left: {
      initial: 'watching',
      on: { 'track.joined': 'deciding', 'track.rested': '.resting' },
      states: {
        watching: {
          entry: 'loadLive',
          on: followAvailability,
        },
        resting: {
          entry: 'unload',
          on: { 'track.joined': '#track.resting', 'track.woken': 'watching', 'track.rested': {} },
        },
      },
    },
    forbidden: {
      entry: 'loadLive',
      always: [
        { guard: 'isLive', target: 'live' },
        { guard: 'isPermitted', target: 'archive' },
      ],
      on: followAvailability,
    },
    archive: {
      initial: 'finding',
      entry: 'unloadLive',
      invoke: { id: 'follow', src: 'follow', input: ({ context }) => ({ tile: context.tile }) },
      always: [
        { guard: 'isLive', target: 'live' },
        { guard: 'isForbidden', target: 'forbidden' },
      ],
      on: { 'track.leftLive': 'left' },
      states: {
        finding: {
          tags: 'busy',
          entry: ['requestRanges', 'refetchRecent'],
          always: [
            { guard: 'isRecorded', target: 'recorded' },
            { guard: 'isInGap', target: 'inGap' },
          ],
          on: {
            'track.ticked': {
              actions: [{ type: 'tick', params: ({ event }) => event }, 'notifyTime', 'requestRanges', 'refetchRecent'],
            },
          },
        },
        recorded: {
          entry: 'load',
          always: [
            { guard: 'isUnknown', target: 'finding' },
            { guard: 'isInGap', target: 'inGap' },
          ],
          on: followClock,
        },
        inGap: {
          entry: ['load', 'refetchRecent'],
          always: [
            { guard: 'isUnknown', target: 'finding' },
            { guard: 'isRecorded', target: 'recorded' },
          ],
          on: followClock,
        },
      },
    },
    resting: { entry: 'unload', on: { 'track.woken': 'deciding', 'track.rested': {} } },
  },
})

export type TrackRef = ActorRefFrom<typeof trackMachine>
