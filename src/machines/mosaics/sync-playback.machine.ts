import type { TimeRange } from '../../api/contract/time-range.ts'
import { assign, enqueueActions, fromCallback, fromPromise, raise, sendTo, setup } from 'xstate'
import { notProvided } from '../not-provided.ts'
import { liveAddress, type PlayerAddress } from '../player/address.ts'
import type { AddressChange } from '../player/player.setup.ts'
import { periodAfter } from '../timeline/timeline.context.ts'
import { defaultPeriod, lengthOf, showing } from '../timeline/timeline-geometry.ts'
import type {
  SyncPlaybackEvent,
  SyncPlaybackInput,
  ReadinessBarrierInput,
  SharedClockCommand,
  PeriodMove,
  TileSlot,
} from './sync-playback.events.ts'
import { trackMachine, type TrackEvent, type TrackRef } from './track.machine.ts'

interface Context {
  limits: SyncPlaybackInput['limits']
  slots: readonly TileSlot[]
  /** By the key of the tile's cell. */
  tracks: Readonly<Record<string, TrackRef>>
  zone: string
  period: TimeRange
  width: number
  now: number
  /** Where the one clock stood last; null while all is live. */
  at: number | null
  /** How fast it goes on when it does. */
  rate: number
  /** Whether it goes on once all are ready. */
  isPlaying: boolean
}

/** What is younger is live, as in a player (its usual live window). */
export const liveMs = 15_000
/** A step of all: the frame of a camera of 25 frames a second. */
const stepMs = 40
const usualSpan = 4 * 3600_000
/** What was written into the address comes back this much later at most. */
const writtenMs = 5000

type Given = { readonly context: Context }

const tellTick = {
  type: 'tellTracks' as const,
  params: ({ context: { at, rate, now } }: Given) => ({ type: 'track.ticked' as const, at, rate, now }),
}
const tellPeriod = {
  type: 'tellTracks' as const,
  params: ({ context: { period, width } }: Given) => ({ type: 'track.periodChosen' as const, period, width }),
}
const moving = [
  { type: 'move' as const, params: ({ event }: { event: PeriodMove }) => ({ event }) },
  tellPeriod,
] as const
const rest = { type: 'tellTracks' as const, params: { type: 'track.rested' as const } }
const wake = { type: 'tellTracks' as const, params: { type: 'track.woken' as const } }

const kept = (change: AddressChange) => ({
  type: 'keepAddress' as const,
  params: ({ context: { at, rate, period } }: Given) => {
    const span = lengthOf(period)
    return {
      address: { ...liveAddress, at, speed: at === null ? 1 : rate, span: span === usualSpan ? null : span },
      change,
    }
  },
})

const gathered = () =>
  [{ guard: 'isPlaying' as const, target: 'playing' as const }, { target: 'paused' as const }] as const

/**
 * Conducts a mosaic's archive: one clock for all tiles. While all is live it only shows what is recorded; a moment that is
 * asked for sets the clock, and when all who can are there, or a second has passed, it goes on and they start together.
 * Each tile has a track, which decides what it plays; the pictures are kept at the clock past the machines. The clock
 * itself is an actor: its position is a function of time. Where it comes near to now, all is live again.
 */
export const syncPlaybackMachine = setup({
  types: {
    context: {} as Context,
    events: {} as SyncPlaybackEvent,
    input: {} as SyncPlaybackInput,
    children: {} as { sharedClock: 'sharedClock'; readinessBarrier: 'readinessBarrier' },
  },
  actors: {
    track: trackMachine,
    sharedClock: fromCallback<SharedClockCommand>(() => undefined),
    readinessBarrier: fromPromise<void, ReadinessBarrierInput>(notProvided),
    visibility: fromCallback(() => undefined),
  },
  actions: {
    fillSlots: enqueueActions(({ context, enqueue }, { slots }: { slots: readonly TileSlot[] }) => {
      const keys = new Set(slots.map(({ key }) => key))
      for (const [key, track] of Object.entries(context.tracks)) if (!keys.has(key)) enqueue.stopChild(track)
      enqueue.assign({
        slots,
        tracks: ({ context: { tracks, limits, now }, spawn }) =>
          Object.fromEntries(
            slots.map(({ key, ...fillSlots }) => [
              key,
              tracks[key] ?? spawn('track', { id: key, input: { ...fillSlots, ...limits, now } }),
            ]),
          ),
      })
    }),
    tellSlots: enqueueActions(({ context: { tracks, slots }, enqueue }) => {
      for (const { key, isAvailable, isSeen } of slots) {
        const track = tracks[key]
        if (track === undefined) continue
        enqueue.sendTo(track, { type: 'track.availabilityChanged', isAvailable })
        enqueue.sendTo(track, { type: isSeen ? 'track.woken' : 'track.rested' })
      }
    }),
    tellTracks: enqueueActions(({ context: { tracks }, enqueue }, event: TrackEvent) => {
      for (const track of Object.values(tracks)) enqueue.sendTo(track, event)
    }),
    tellTrack: enqueueActions(
      ({ context: { tracks }, enqueue }, { key, event }: { key: string; event: TrackEvent }) => {
        const track = tracks[key]
        if (track !== undefined) enqueue.sendTo(track, event)
      },
    ),
    tickTime: assign((_, { now }: { now: number }) => ({ now })),
    place: assign(({ context: { now } }, { at }: { at: number }) => ({ at: Math.min(at, now - liveMs) })),
    leave: assign({ at: null, rate: 1, isPlaying: true }),
    takeRate: assign((_, { rate }: { rate: number }) => ({ rate })),
    wish: assign((_, { isPlaying }: { isPlaying: boolean }) => ({ isPlaying })),
    step: assign(({ context: { at, now } }, { direction }: { direction: 1 | -1 }) => ({
      at: at === null ? null : Math.min(at + direction * stepMs, now - liveMs),
    })),
    setClock: sendTo('sharedClock', ({ context: { at } }) => ({ type: 'sharedClock.set', at, rate: 0 })),
    runClock: sendTo('sharedClock', ({ context: { rate } }) => ({ type: 'sharedClock.set', at: null, rate })),
    restClock: sendTo('sharedClock', { type: 'sharedClock.set', at: null, rate: 0 }),
    move: assign(({ context: { period, width, now, at } }, { event }: { event: PeriodMove }) => ({
      period: periodAfter({ period, playing: at, live: { now } }, event),
      width: event.type === 'timeline.resized' ? event.width : width,
    })),
    /** The clock goes on, and takes along a period that it leaves. */
    advance: enqueueActions(
      ({ context: { tracks, period, width, at: before }, enqueue }, { at, now }: { at: number; now: number }) => {
        const after = periodAfter(
          { period, playing: before, live: { now } },
          { type: 'timeline.ticked', now, playing: at },
        )
        enqueue.assign({ at, now, period: after })
        if (after === period) return
        for (const track of Object.values(tracks))
          enqueue.sendTo(track, { type: 'track.periodChosen', period: after, width })
      },
    ),
    /** Shows where the clock was put. */
    show: assign(({ context: { period, at, now } }) => ({
      period: showing(period, { at, span: lengthOf(period) }, now),
    })),
    keepAddress: (_, _params: { address: PlayerAddress; change: AddressChange }) => undefined,
  },
  guards: {
    isLiveMoment: ({ context: { now } }, { at }: { at: number }) => at > now - liveMs,
    isPlaying: ({ context }) => context.isPlaying,
    startsInArchive: ({ context }) => context.at !== null,
    isOtherMoment: ({ context: { at, rate } }, { address }: { address: PlayerAddress }) =>
      address.at !== null && (at === null || Math.abs(address.at - at) > writtenMs * Math.max(1, rate)),
    isOtherLive: ({ context }, { address }: { address: PlayerAddress }) => address.at === null && context.at !== null,
  },
  delays: { patience: 1000 },
}).createMachine({
  id: 'syncPlayback',
  context: ({ input: { limits, now, zone, address, slots } }) => ({
    limits,
    zone,
    now,
    slots,
    tracks: {},
    period: showing(defaultPeriod(now), { at: address.at, span: address.span ?? usualSpan }, now),
    width: 0,
    at: address.at === null || address.at > now - liveMs ? null : address.at,
    rate: address.speed,
    isPlaying: true,
  }),
  invoke: [
    { id: 'sharedClock', src: 'sharedClock' },
    { id: 'visibility', src: 'visibility' },
  ],
  entry: [{ type: 'fillSlots', params: ({ context }) => context }, 'tellSlots', tellPeriod],
  initial: 'starting',
  on: {
    'timeline.zoomedIn': { actions: moving },
    'timeline.zoomedOut': { actions: moving },
    'timeline.zoomedAt': { actions: moving },
    'timeline.movedEarlier': { actions: moving },
    'timeline.movedLater': { actions: moving },
    'timeline.centred': { actions: moving },
    'timeline.panned': { actions: moving },
    'timeline.resized': { actions: moving },
    'slots.changed': {
      actions: [{ type: 'fillSlots', params: ({ event }) => event }, 'tellSlots', tellPeriod, tellTick],
    },
    'tile.leftLive': {
      actions: { type: 'tellTrack', params: ({ event: { key } }) => ({ key, event: { type: 'track.leftLive' } }) },
    },
    'tile.joined': {
      actions: { type: 'tellTrack', params: ({ event: { key } }) => ({ key, event: { type: 'track.joined' } }) },
    },
    'track.seen': {
      actions: {
        type: 'tellTrack',
        params: ({ event: { key, isSeen } }) => ({ key, event: { type: 'track.seen', isSeen } }),
      },
    },
    'moment.requested': [
      { guard: { type: 'isLiveMoment', params: ({ event }) => event }, target: '.live' },
      { target: '.archive.seeking', actions: { type: 'place', params: ({ event }) => event } },
    ],
    'moment.shared': {
      actions: [
        { type: 'tellTracks', params: { type: 'track.joined' } },
        raise(({ event }) => ({ type: 'moment.requested' as const, at: event.at })),
      ],
    },
    'address.moved': [
      {
        guard: { type: 'isOtherMoment', params: ({ event }) => event },
        target: '.archive.seeking',
        actions: [
          { type: 'place', params: ({ event }) => ({ at: event.address.at ?? 0 }) },
          { type: 'takeRate', params: ({ event }) => ({ rate: event.address.speed }) },
        ],
      },
      { guard: { type: 'isOtherLive', params: ({ event }) => event }, target: '.live' },
    ],
  },
  states: {
    starting: { always: [{ guard: 'startsInArchive', target: 'archive' }, { target: 'live' }] },
    live: {
      entry: ['leave', 'restClock', tellTick, kept('arrived')],
      initial: 'watching',
      on: { 'sharedClock.ticked': { actions: [{ type: 'tickTime', params: ({ event }) => event }, tellTick] } },
      states: {
        watching: { on: { 'page.hidden': 'hidden' } },
        hidden: { entry: rest, exit: wake, on: { 'page.shown': 'watching' } },
      },
    },
    archive: {
      initial: 'seeking',
      on: {
        'sharedClock.ticked': [
          { guard: { type: 'isLiveMoment', params: ({ event }) => event }, target: 'live' },
          { actions: [{ type: 'advance', params: ({ event }) => event }, tellTick, kept('advanced')] },
        ],
        'live.requested': 'live',
        'speed.chosen': { actions: [{ type: 'takeRate', params: ({ event }) => event }, kept('changed')] },
        'page.hidden': '.hidden',
      },
      states: {
        seeking: {
          tags: 'busy',
          entry: ['setClock', 'show', tellPeriod, tellTick, kept('arrived')],
          invoke: {
            id: 'readinessBarrier',
            src: 'readinessBarrier',
            input: ({ context }) => ({ tracks: Object.values(context.tracks) }),
            onDone: gathered(),
            onError: gathered(),
          },
          after: { patience: gathered() },
          on: {
            'play.requested': { actions: { type: 'wish', params: { isPlaying: true } } },
            'pause.requested': { actions: { type: 'wish', params: { isPlaying: false } } },
            'step.requested': {
              target: 'seeking',
              reenter: true,
              actions: [
                { type: 'wish', params: { isPlaying: false } },
                { type: 'step', params: ({ event }) => event },
              ],
            },
          },
        },
        playing: {
          entry: [{ type: 'wish', params: { isPlaying: true } }, 'runClock'],
          on: {
            'pause.requested': 'paused',
            'step.requested': 'paused',
            'speed.chosen': {
              actions: [{ type: 'takeRate', params: ({ event }) => event }, 'runClock', kept('changed')],
            },
          },
        },
        paused: {
          entry: [{ type: 'wish', params: { isPlaying: false } }, 'restClock'],
          on: {
            'play.requested': { target: 'seeking', actions: { type: 'wish', params: { isPlaying: true } } },
            'step.requested': { target: 'seeking', actions: { type: 'step', params: ({ event }) => event } },
          },
        },
        hidden: { entry: ['restClock', rest], exit: wake, on: { 'page.shown': 'seeking' } },
      },
    },
  },
})
