import { assign, sendParent, sendTo, setup } from 'xstate'
import type { Refusal } from '../../api/reply.ts'
import { mergeMarks, type Mark } from './annotations.ts'
import type { Coverage, CoverageReport } from './coverage.machine.ts'
import { intervalAt, mergePieces, placeLive, type Interval, type LiveWindow } from './intervals.ts'
import { coveredPeriods, lookUp, type Lookup, type Query } from './lookup.ts'
import type { TilesReport } from './tiles.machine.ts'
import { timelineActors } from './timeline.actors.ts'
import type { TimelineEvent, TimelineInput, TimelineReport } from './timeline.events.ts'
import {
  centreOn,
  defaultPeriod,
  followPlaying,
  moveByQuarter,
  panTo,
  zoomAt,
  zoomIn,
  zoomOut,
  type Period,
} from './timeline-geometry.ts'

type Event =
  | TimelineEvent
  | (TilesReport<readonly Interval[]> & { readonly kind: 'ranges' })
  | (TilesReport<readonly Mark[]> & { readonly kind: 'annotations' })
  | CoverageReport

export type TimelineContext = {
  readonly streamId: string
  readonly pieceLength: number
  readonly zone: string
  readonly period: Period
  readonly width: number
  readonly playing: number | null
  readonly live: LiveWindow
  /** What is recorded, as far as it is known; neither live nor future. */
  readonly recorded: readonly Interval[]
  /** `recorded` with the live interval and the trailing gap. */
  readonly intervals: readonly Interval[]
  readonly marks: readonly Mark[]
  /** Null until the server has said it. */
  readonly coverage: Coverage | null
  readonly covered: readonly Period[] | null
  readonly rangesRefusal: Refusal | null
  readonly annotationsRefusal: Refusal | null
  readonly query: Query | null
  readonly soughtAt: number | null
}

/** A stream's annotations are asked for by the day; no limit is set to them. */
const annotationsLength = 24 * 3600_000
/** The trailing gap ends so far ahead that no period reaches it. */
const horizon = 10 * 365 * 24 * 3600_000

const moving = ['move', 'tellPeriod', 'tellPeriodToAnnotations'] as const

/**
 * Shows a period of a stream's time: what of it is recorded, live or marked, as far as the server has said, and moves,
 * zooms and centres it. Picks and the player's questions are answered to the parent; while an answer lies in time that
 * isn't known yet it is `searching`, piece by piece, until it is found, refused or asked something else.
 */
export const timelineMachine = setup({
  types: { context: {} as TimelineContext, events: {} as Event, input: {} as TimelineInput },
  actors: timelineActors,
  guards: {
    isPlayingGone: ({ context, event }) => event.type === 'timeline.ticked' && periodAfter(context, event) !== context.period,
    isAnswered: ({ context }) => answerOf(context).isKnown,
    isRefused: ({ context }) => context.rangesRefusal !== null,
    isUnsought: ({ context }) => {
      const found = answerOf(context)
      return !found.isKnown && found.unknownAt !== context.soughtAt
    },
  },
  actions: {
    move: assign(({ context, event }) => ({
      period: periodAfter(context, event),
      width: event.type === 'timeline.resized' ? event.width : context.width,
    })),
    tellPeriod: sendTo('ranges', ({ context: { period, width, live } }) => ({
      type: 'tiles.wanted', period, width, now: live.now,
    })),
    tellPeriodToAnnotations: sendTo('annotations', ({ context: { period, width, live } }) => ({
      type: 'tiles.wanted', period, width, now: live.now,
    })),
    keepTime: assign(({ context, event }) => {
      if (event.type !== 'timeline.ticked') return {}
      return { playing: event.playing ?? null, ...placed(context.recorded, { ...context.live, now: event.now }) }
    }),
    tellTime: sendTo('ranges', ({ context }) => ({ type: 'tiles.ticked', now: context.live.now })),
    tellTimeToAnnotations: sendTo('annotations', ({ context }) => ({ type: 'tiles.ticked', now: context.live.now })),
    place: assign(({ context }, { available, windowStart, now }: LiveWindow) =>
      placed(context.recorded, { available, windowStart, now }),
    ),
    keepZone: assign(({ context, event }) => ({
      zone: event.type === 'timeline.zoneChosen' ? event.zone : context.zone,
      covered: null,
    })),
    tellZone: sendTo('coverage', ({ context }) => ({ type: 'coverage.zoneChosen', zone: context.zone })),
    keepTiles: assign(({ context, event }) => {
      if (event.type !== 'tiles.changed') return {}
      if (event.kind === 'annotations') return { marks: mergeMarks(event.tiles), annotationsRefusal: event.refusal }
      const recorded = mergePieces(event.tiles.map(({ from, to, content }) => ({ from, to, intervals: content })))
      return { recorded, rangesRefusal: event.refusal, ...placed(recorded, context.live) }
    }),
    keepCoverage: assign(({ context, event }) => {
      if (event.type !== 'coverage.changed' || event.coverage === null) return {}
      return {
        coverage: event.coverage,
        covered: coveredPeriods(event.coverage.days, context.zone, context.live.now),
      }
    }),
    askAgain: sendTo('ranges', { type: 'tiles.outdated' }),
    ask: assign((_, query: Query) => ({ query, soughtAt: null })),
    seek: assign(({ context }) => {
      const found = answerOf(context)
      return { soughtAt: found.isKnown ? null : found.unknownAt }
    }),
    tellSought: sendTo('ranges', ({ context }) => ({ type: 'tiles.sought', at: context.soughtAt ?? context.live.now })),
    report: sendParent(({ context }) => reportOf(context)),
    forget: assign({ query: null, soughtAt: null }),
  },
}).createMachine({
  id: 'timeline',
  context: ({ input }) => ({
    streamId: input.streamId,
    pieceLength: input.rangesMaxSeconds * 1000,
    zone: input.zone,
    period: input.period ?? defaultPeriod(input.now),
    width: 0,
    playing: null,
    recorded: [],
    ...placed([], { available: false, windowStart: input.now, now: input.now }),
    marks: [],
    coverage: null,
    covered: null,
    rangesRefusal: null,
    annotationsRefusal: null,
    query: null,
    soughtAt: null,
  }),
  invoke: [
    {
      id: 'ranges',
      src: 'ranges',
      input: ({ context: { streamId, pieceLength, period, width, live } }) => ({
        kind: 'ranges', streamId, length: pieceLength, period, width, now: live.now,
      }),
    },
    {
      id: 'annotations',
      src: 'annotations',
      input: ({ context: { streamId, period, width, live } }) => ({
        kind: 'annotations', streamId, length: annotationsLength, period, width, now: live.now,
      }),
    },
    { id: 'coverage', src: 'coverage', input: ({ context: { streamId, zone } }) => ({ streamId, zone }) },
  ],
  initial: 'idle',
  on: {
    'timeline.zoomedIn': { actions: moving },
    'timeline.zoomedOut': { actions: moving },
    'timeline.zoomedAt': { actions: moving },
    'timeline.movedEarlier': { actions: moving },
    'timeline.movedLater': { actions: moving },
    'timeline.centred': { actions: moving },
    'timeline.panned': { actions: moving },
    'timeline.resized': { actions: moving },
    'timeline.ticked': [
      { guard: 'isPlayingGone', actions: [...moving, 'keepTime'] },
      { actions: ['keepTime', 'tellTime', 'tellTimeToAnnotations'] },
    ],
    'timeline.liveChanged': { actions: { type: 'place', params: ({ event }) => event } },
    'timeline.zoneChosen': { actions: ['keepZone', 'tellZone'] },
    'tiles.changed': { actions: 'keepTiles' },
    'coverage.changed': { actions: ['keepCoverage', 'askAgain'] },
  },
  states: {
    idle: {
      on: {
        'timeline.pickRequested': {
          target: 'searching',
          actions: { type: 'ask', params: ({ event }) => ({ kind: 'picked', at: event.at }) },
        },
        'timeline.nextRequested': {
          target: 'searching',
          actions: { type: 'ask', params: ({ event }) => ({ kind: 'next', at: event.after }) },
        },
        'timeline.previousRequested': {
          target: 'searching',
          actions: { type: 'ask', params: ({ event }) => ({ kind: 'previous', at: event.before }) },
        },
      },
    },
    searching: {
      tags: 'busy',
      always: [
        { guard: 'isAnswered', target: 'idle', actions: ['report', 'forget'] },
        { guard: 'isRefused', target: 'idle', actions: ['report', 'forget'] },
        { guard: 'isUnsought', actions: ['seek', 'tellSought'] },
      ],
      on: {
        'timeline.pickRequested': {
          actions: { type: 'ask', params: ({ event }) => ({ kind: 'picked', at: event.at }) },
        },
        'timeline.nextRequested': {
          actions: { type: 'ask', params: ({ event }) => ({ kind: 'next', at: event.after }) },
        },
        'timeline.previousRequested': {
          actions: { type: 'ask', params: ({ event }) => ({ kind: 'previous', at: event.before }) },
        },
      },
    },
  },
})

function placed(recorded: readonly Interval[], live: LiveWindow) {
  return { live, intervals: placeLive(recorded, live, live.now + horizon) }
}

function periodAfter({ period, live, playing }: TimelineContext, event: Event): Period {
  switch (event.type) {
    case 'timeline.zoomedIn':
      return zoomIn(period, event.at ?? null)
    case 'timeline.zoomedOut':
      return zoomOut(period, event.at ?? null, live.now)
    case 'timeline.zoomedAt':
      return zoomAt(period, event.factor, event.at)
    case 'timeline.movedEarlier':
      return moveByQuarter(period, -1)
    case 'timeline.movedLater':
      return moveByQuarter(period, 1)
    case 'timeline.centred':
      return centreOn(period, event.at)
    case 'timeline.panned':
      return panTo(period, event.to, live.now)
    case 'timeline.ticked':
      return followPlaying(period, playing, event.playing ?? null)
    default:
      return period
  }
}

function answerOf({ intervals, live, covered, coverage, query }: TimelineContext): Lookup {
  if (query === null) return { isKnown: true, interval: null }
  return lookUp({ intervals, live, covered, recorded: coverage?.recorded ?? null }, query)
}

function reportOf(context: TimelineContext): TimelineReport {
  const found = answerOf(context)
  const interval = found.isKnown ? found.interval : null
  const { kind, at } = context.query ?? { kind: 'next', at: context.live.now }
  if (kind === 'next') return { type: 'timeline.nextFound', after: at, next: interval }
  if (kind === 'previous') return { type: 'timeline.previousFound', before: at, previous: interval }
  const picked = intervalAt(context.intervals, at) ?? { type: 'gap', from: at, to: at + 1 }
  return { type: 'timeline.picked', at, interval: picked, nextFragment: interval }
}
