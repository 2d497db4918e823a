import { assign, enqueueActions, fromCallback, fromPromise, raise, sendTo, setup } from 'xstate'
import { notProvided } from '../not-provided.ts'
import { liveAddress, type PlayerAddress } from '../player/address.ts'
import type { AddressChange } from '../player/player.setup.ts'
import { periodAfter } from '../timeline/timeline.context.ts'
import { defaultPeriod, lengthOf, showing, type Period } from '../timeline/timeline-geometry.ts'
import type { ConductorEvent, ConductorInput, GatherInput, MetronomeCommand, PeriodMove, Seat } from './conductor.events.ts'
import { laneMachine, type LaneEvent, type LaneRef } from './lane.machine.ts'

interface Context {
  limits: ConductorInput['limits']
  seats: readonly Seat[]
  /** By the key of the tile's cell. */
  lanes: Readonly<Record<string, LaneRef>>
  zone: string
  period: Period
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
  type: 'tellLanes' as const,
  params: ({ context: { at, rate, now } }: Given) => ({ type: 'lane.ticked' as const, at, rate, now }),
}
const tellPeriod = {
  type: 'tellLanes' as const,
  params: ({ context: { period, width } }: Given) => ({ type: 'lane.periodChosen' as const, period, width }),
}
const moving = [{ type: 'move' as const, params: ({ event }: { event: PeriodMove }) => ({ event }) }, tellPeriod] as const
const rest = { type: 'tellLanes' as const, params: { type: 'lane.rested' as const } }
const wake = { type: 'tellLanes' as const, params: { type: 'lane.woken' as const } }

const kept = (change: AddressChange) => ({
  type: 'keepAddress' as const,
  params: ({ context: { at, rate, period } }: Given) => {
    const span = lengthOf(period)
    return { address: { ...liveAddress, at, speed: at === null ? 1 : rate, span: span === usualSpan ? null : span }, change }
  },
})

const gathered = () => [{ guard: 'isPlaying' as const, target: 'playing' as const }, { target: 'paused' as const }] as const

/**
 * Conducts a mosaic's archive: one clock for all tiles. While all is live it only shows what is recorded; a moment that is
 * asked for sets the clock, and when all who can are there, or a second has passed, it goes on and they start together.
 * Each tile has a lane, which decides what it plays; the pictures are kept at the clock past the machines. The clock
 * itself is an actor: its position is a function of time. Where it comes near to now, all is live again.
 */
export const conductorMachine = setup({
  types: { context: {} as Context, events: {} as ConductorEvent, input: {} as ConductorInput, children: {} as { metronome: 'metronome'; gather: 'gather' } },
  actors: {
    lane: laneMachine,
    metronome: fromCallback<MetronomeCommand>(() => undefined),
    gather: fromPromise<void, GatherInput>(notProvided),
    visibility: fromCallback(() => undefined),
  },
  actions: {
    seat: enqueueActions(({ context, enqueue }, { seats }: { seats: readonly Seat[] }) => {
      const keys = new Set(seats.map(({ key }) => key))
      for (const [key, lane] of Object.entries(context.lanes)) if (!keys.has(key)) enqueue.stopChild(lane)
      enqueue.assign({
        seats,
        lanes: ({ context: { lanes, limits, now }, spawn }) =>
          Object.fromEntries(seats.map(({ key, ...seat }) => [key, lanes[key] ?? spawn('lane', { id: key, input: { ...seat, ...limits, now } })])),
      })
    }),
    tellSeats: enqueueActions(({ context: { lanes, seats }, enqueue }) => {
      for (const { key, isAvailable, isSeen } of seats) {
        const lane = lanes[key]
        if (lane === undefined) continue
        enqueue.sendTo(lane, { type: 'lane.availabilityChanged', isAvailable })
        enqueue.sendTo(lane, { type: isSeen ? 'lane.woken' : 'lane.rested' })
      }
    }),
    tellLanes: enqueueActions(({ context: { lanes }, enqueue }, event: LaneEvent) => {
      for (const lane of Object.values(lanes)) enqueue.sendTo(lane, event)
    }),
    tellLane: enqueueActions(({ context: { lanes }, enqueue }, { key, event }: { key: string; event: LaneEvent }) => {
      const lane = lanes[key]
      if (lane !== undefined) enqueue.sendTo(lane, event)
    }),
    tickTime: assign((_, { now }: { now: number }) => ({ now })),
    place: assign(({ context: { now } }, { at }: { at: number }) => ({ at: Math.min(at, now - liveMs) })),
    leave: assign({ at: null, rate: 1, isPlaying: true }),
    takeRate: assign((_, { rate }: { rate: number }) => ({ rate })),
    wish: assign((_, { isPlaying }: { isPlaying: boolean }) => ({ isPlaying })),
    step: assign(({ context: { at, now } }, { direction }: { direction: 1 | -1 }) => ({
      at: at === null ? null : Math.min(at + direction * stepMs, now - liveMs),
    })),
    setClock: sendTo('metronome', ({ context: { at } }) => ({ type: 'metronome.set', at, rate: 0 })),
    runClock: sendTo('metronome', ({ context: { rate } }) => ({ type: 'metronome.set', at: null, rate })),
    restClock: sendTo('metronome', { type: 'metronome.set', at: null, rate: 0 }),
    move: assign(({ context: { period, width, now, at } }, { event }: { event: PeriodMove }) => ({
      period: periodAfter({ period, playing: at, live: { now } }, event),
      width: event.type === 'timeline.resized' ? event.width : width,
    })),
    /** The clock goes on, and takes along a period that it leaves. */
    advance: enqueueActions(({ context: { lanes, period, width, at: before }, enqueue }, { at, now }: { at: number; now: number }) => {
      const after = periodAfter({ period, playing: before, live: { now } }, { type: 'timeline.ticked', now, playing: at })
      enqueue.assign({ at, now, period: after })
      if (after === period) return
      for (const lane of Object.values(lanes)) enqueue.sendTo(lane, { type: 'lane.periodChosen', period: after, width })
    }),
    /** Shows where the clock was put. */
    show: assign(({ context: { period, at, now } }) => ({ period: showing(period, { at, span: lengthOf(period) }, now) })),
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
  id: 'conductor',
  context: ({ input: { limits, now, zone, address, seats } }) => ({
    limits, zone, now, seats,
    lanes: {},
    period: showing(defaultPeriod(now), { at: address.at, span: address.span ?? usualSpan }, now),
    width: 0,
    at: address.at === null || address.at > now - liveMs ? null : address.at,
    rate: address.speed,
    isPlaying: true,
  }),
  invoke: [{ id: 'metronome', src: 'metronome' }, { id: 'visibility', src: 'visibility' }],
  entry: [{ type: 'seat', params: ({ context }) => context }, 'tellSeats', tellPeriod],
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
    'seats.changed': { actions: [{ type: 'seat', params: ({ event }) => event }, 'tellSeats', tellPeriod, tellTick] },
    'tile.leftLive': { actions: { type: 'tellLane', params: ({ event: { key } }) => ({ key, event: { type: 'lane.leftLive' } }) } },
    'tile.joined': { actions: { type: 'tellLane', params: ({ event: { key } }) => ({ key, event: { type: 'lane.joined' } }) } },
    'lane.seen': { actions: { type: 'tellLane', params: ({ event: { key, isSeen } }) => ({ key, event: { type: 'lane.seen', isSeen } }) } },
    'moment.requested': [
      { guard: { type: 'isLiveMoment', params: ({ event }) => event }, target: '.live' },
      { target: '.archive.seeking', actions: { type: 'place', params: ({ event }) => event } },
    ],
    'moment.shared': {
      actions: [{ type: 'tellLanes', params: { type: 'lane.joined' } }, raise(({ event }) => ({ type: 'moment.requested' as const, at: event.at }))],
    },
    'address.moved': [
      {
        guard: { type: 'isOtherMoment', params: ({ event }) => event },
        target: '.archive.seeking',
        actions: [{ type: 'place', params: ({ event }) => ({ at: event.address.at ?? 0 }) }, { type: 'takeRate', params: ({ event }) => ({ rate: event.address.speed }) }],
      },
      { guard: { type: 'isOtherLive', params: ({ event }) => event }, target: '.live' },
    ],
  },
  states: {
    starting: { always: [{ guard: 'startsInArchive', target: 'archive' }, { target: 'live' }] },
    live: {
      entry: ['leave', 'restClock', tellTick, kept('arrived')],
      initial: 'watching',
      on: { 'metronome.ticked': { actions: [{ type: 'tickTime', params: ({ event }) => event }, tellTick] } },
      states: {
        watching: { on: { 'page.hidden': 'hidden' } },
        hidden: { entry: rest, exit: wake, on: { 'page.shown': 'watching' } },
      },
    },
    archive: {
      initial: 'seeking',
      on: {
        'metronome.ticked': [
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
            id: 'gather',
            src: 'gather',
            input: ({ context }) => ({ lanes: Object.values(context.lanes) }),
            onDone: gathered(),
            onError: gathered(),
          },
          after: { patience: gathered() },
          on: {
            'play.requested': { actions: { type: 'wish', params: { isPlaying: true } } },
            'pause.requested': { actions: { type: 'wish', params: { isPlaying: false } } },
            'step.requested': { target: 'seeking', reenter: true, actions: [{ type: 'wish', params: { isPlaying: false } }, { type: 'step', params: ({ event }) => event }] },
          },
        },
        playing: {
          entry: [{ type: 'wish', params: { isPlaying: true } }, 'runClock'],
          on: {
            'pause.requested': 'paused',
            'step.requested': 'paused',
            'speed.chosen': { actions: [{ type: 'takeRate', params: ({ event }) => event }, 'runClock', kept('changed')] },
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
