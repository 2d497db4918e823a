import { assign, cancel, enqueueActions, sendParent, sendTo, setup } from 'xstate'
import { isSameAnnotation, mergeAnnotations } from './annotations.ts'
import type { LiveWindow } from './intervals.ts'
import { coveredPeriods, isOfAnnotations, annotationQuery, previousQuery, type Query } from './lookup.ts'
import { futureOf, joinedRanges, keptIfSame } from './chunks.ts'
import { timelineActors } from './timeline.actors.ts'
import {
  answerOf,
  periodAfter,
  withLive,
  withRecorded,
  reportOf,
  spanChangeOf,
  type TimelineContext,
  type TimelineMachineEvent,
} from './timeline.context.ts'
import type { TimelineInput } from './timeline.events.ts'
import { defaultPeriod, isNear, within } from './timeline-geometry.ts'

/** The range of one request for annotations. */
const annotationsRangeMs = 24 * 3600_000
const movePeriod = ['movePeriod', 'notifyPeriod'] as const
const zoomPeriod = [...movePeriod, 'awaitSpan', 'notifySpan'] as const

/**
 * The timeline of a stream: a period that can be moved, zoomed and centred, with the known recordings, live window and
 * annotations. It answers queries: what to play at a picked moment, and what comes before or after a moment. While the
 * answer isn't known, it is `searching`: it loads one chunk after another until it finds the answer, the server refuses
 * a request or fails several times, another query replaces this one, or it is cancelled.
 */
export const timelineMachine = setup({
  types: {
    context: {} as TimelineContext,
    events: {} as TimelineMachineEvent,
    input: {} as TimelineInput,
    children: {} as {
      ranges: 'ranges'
      annotations: 'annotations'
      coverage: 'coverage'
      hoverPreview: 'hoverPreview'
    },
  },
  actors: timelineActors,
  guards: {
    hasPlayheadLeftPeriod: ({ context, event }) =>
      event.type === 'timeline.ticked' && periodAfter(context, event) !== context.period,
    isAnswered: ({ context }) => answerOf(context).isKnown,
    isRefused: ({ context }) =>
      context.isAbandoned ||
      (isOfAnnotations(context.query) ? context.annotationsApiError : context.rangesApiError)?.status === 403,
    isUnrequested: ({ context }) => {
      const answer = answerOf(context)
      return !answer.isKnown && answer.unknownAt !== context.awaitedAt
    },
  },
  actions: {
    movePeriod: assign(({ context, event }) => ({
      period: periodAfter(context, event),
      width: event.type === 'timeline.resized' ? event.width : context.width,
    })),
    /** Not for every step of a drag: the children load more than the period. */
    notifyPeriod: enqueueActions(({ context: { period, width, live, reported }, enqueue }) => {
      if (reported !== null && reported.width === width && isNear(reported.period, period)) return
      enqueue.assign({ reported: { period, width } })
      enqueue.sendTo('ranges', { type: 'chunks.requested', period, width, now: live.now })
      enqueue.sendTo('annotations', { type: 'chunks.requested', period, width, now: live.now })
    }),
    assignTime: assign(({ context, event }) => {
      if (event.type !== 'timeline.ticked') return {}
      const playhead = event.playhead ?? null
      // The player's `liveChanged` comes first, with the same time: a list of all intervals isn't made again.
      if (event.now === context.live.now) return { playhead }
      return { playhead, ...withLive(context.recorded, { ...context.live, now: event.now }) }
    }),
    notifyTime: sendTo('ranges', ({ context }) => ({ type: 'chunks.ticked', now: context.live.now })),
    notifyTimeToAnnotations: sendTo('annotations', ({ context }) => ({ type: 'chunks.ticked', now: context.live.now })),
    assignLive: assign(({ context }, { available, windowStart, now }: LiveWindow) =>
      withLive(context.recorded, { available, windowStart, now }),
    ),
    assignZone: assign(({ context, event }) => ({
      zone: event.type === 'timeline.zoneChosen' ? event.zone : context.zone,
      covered: null,
    })),
    notifyZone: sendTo('coverage', ({ context }) => ({ type: 'coverage.zoneChosen', zone: context.zone })),
    assignChunks: assign(({ context, event }) => {
      if (event.type !== 'chunks.changed') return {}
      const isOfQuery = isOfAnnotations(context.query) === (event.kind === 'annotations')
      const isAbandoned = isOfQuery && event.abandonedAt !== null && event.abandonedAt === context.awaitedAt
      if (event.kind === 'annotations')
        return {
          isAbandoned,
          annotations: keptIfSame(context.annotations, mergeAnnotations(event.chunks), isSameAnnotation),
          loadedAnnotationRanges: joinedRanges(event.chunks),
          annotationsApiError: event.apiError,
        }
      const unsettled = event.chunks.flatMap(futureOf)
      return { isAbandoned, unsettled, rangesApiError: event.apiError, ...withRecorded(context, event.chunks) }
    }),
    assignCoverage: assign(({ context, event }) => {
      if (event.type !== 'coverage.changed' || event.coverage === null) return {}
      const { coverage } = event
      const { days } = coverage
      return { coverage, covered: days === null ? null : coveredPeriods(days, context.zone, context.live.now) }
    }),
    assignQuery: assign((_, query: Query) => ({ query, awaitedAt: null, isAbandoned: false })),
    assignAwaited: assign(({ context }) => {
      const answer = answerOf(context)
      return { awaitedAt: answer.isKnown ? null : answer.unknownAt }
    }),
    notifyAwaited: sendTo(
      ({ context }) => (isOfAnnotations(context.query) ? 'annotations' : 'ranges'),
      ({ context: { awaitedAt, live } }) => ({
        type: 'chunks.prioritized',
        at: awaitedAt ?? live.now,
        now: live.now,
        isUrgent: true,
      }),
    ),
    notifyPermitted: enqueueActions(({ enqueue }) => {
      enqueue.sendTo('ranges', { type: 'chunks.permitted' })
      enqueue.sendTo('annotations', { type: 'chunks.permitted' })
      enqueue.sendTo('coverage', { type: 'coverage.permitted' })
    }),
    /** Comes before `notifySpan`: a zoom goes on for many frames, and the player needs only its last span. */
    awaitSpan: cancel('span'),
    notifySpan: sendParent(({ context }) => spanChangeOf(context), { id: 'span', delay: 100 }),
    report: sendParent(({ context }) => reportOf(context)),
    forgetQuery: assign({ query: null, awaitedAt: null }),
  },
}).createMachine({
  id: 'timeline',
  context: ({ input }) => ({
    streamId: input.streamId,
    maxRangeMs: input.rangesMaxSeconds * 1000,
    zone: input.zone,
    period: within(input.period ?? defaultPeriod(input.now), input.bounds ?? null),
    bounds: input.bounds ?? null,
    width: 0,
    reported: null,
    playhead: null,
    recorded: [],
    unsettled: [],
    ...withLive([], { available: false, windowStart: input.now, now: input.now }),
    annotations: [],
    loadedAnnotationRanges: [],
    coverage: null,
    covered: null,
    rangesApiError: null,
    annotationsApiError: null,
    query: null,
    awaitedAt: null,
    isAbandoned: false,
  }),
  invoke: [
    {
      id: 'ranges',
      src: 'ranges',
      input: ({ context: { streamId, maxRangeMs, period, width, live } }) => ({
        kind: 'ranges',
        streamId,
        lengthMs: maxRangeMs,
        period,
        width,
        now: live.now,
        isRefreshedWhole: true,
      }),
    },
    {
      id: 'annotations',
      src: 'annotations',
      input: ({ context: { streamId, period, width, live } }) => ({
        kind: 'annotations',
        streamId,
        lengthMs: annotationsRangeMs,
        period,
        width,
        now: live.now,
      }),
    },
    { id: 'coverage', src: 'coverage', input: ({ context: { streamId, zone } }) => ({ streamId, zone }) },
    { id: 'hoverPreview', src: 'hoverPreview', input: ({ context: { streamId } }) => ({ streamId }) },
  ],
  initial: 'idle',
  on: {
    'timeline.zoomedIn': { actions: zoomPeriod },
    'timeline.zoomedOut': { actions: zoomPeriod },
    'timeline.zoomedAt': { actions: zoomPeriod },
    'timeline.shown': { actions: zoomPeriod },
    'timeline.movedEarlier': { actions: movePeriod },
    'timeline.movedLater': { actions: movePeriod },
    'timeline.centred': { actions: movePeriod },
    'timeline.panned': { actions: movePeriod },
    'timeline.resized': { actions: movePeriod },
    'timeline.ticked': [
      { guard: 'hasPlayheadLeftPeriod', actions: [...movePeriod, 'assignTime'] },
      { actions: ['assignTime', 'notifyTime', 'notifyTimeToAnnotations'] },
    ],
    'timeline.liveChanged': { actions: { type: 'assignLive', params: ({ event }) => event } },
    'timeline.permitted': { actions: 'notifyPermitted' },
    'timeline.zoneChosen': { actions: ['assignZone', 'notifyZone'] },
    'chunks.changed': { actions: 'assignChunks' },
    'coverage.changed': { actions: 'assignCoverage' },
  },
  states: {
    idle: {
      on: {
        'timeline.pickRequested': {
          target: 'searching',
          actions: { type: 'assignQuery', params: ({ event }) => ({ kind: 'picked', at: event.at }) },
        },
        'timeline.nextRequested': {
          target: 'searching',
          actions: { type: 'assignQuery', params: ({ event }) => ({ kind: 'next', at: event.after }) },
        },
        'timeline.previousRequested': {
          target: 'searching',
          actions: { type: 'assignQuery', params: ({ event }) => previousQuery(event) },
        },
        'timeline.annotationRequested': {
          target: 'searching',
          actions: { type: 'assignQuery', params: ({ event }) => annotationQuery(event) },
        },
      },
    },
    searching: {
      tags: 'busy',
      always: [
        { guard: 'isAnswered', target: 'idle', actions: ['report', 'forgetQuery'] },
        { guard: 'isRefused', target: 'idle', actions: ['report', 'forgetQuery'] },
        { guard: 'isUnrequested', actions: ['assignAwaited', 'notifyAwaited'] },
      ],
      on: {
        'timeline.pickRequested': {
          actions: { type: 'assignQuery', params: ({ event }) => ({ kind: 'picked', at: event.at }) },
        },
        'timeline.nextRequested': {
          actions: { type: 'assignQuery', params: ({ event }) => ({ kind: 'next', at: event.after }) },
        },
        'timeline.previousRequested': {
          actions: { type: 'assignQuery', params: ({ event }) => previousQuery(event) },
        },
        'timeline.annotationRequested': {
          actions: { type: 'assignQuery', params: ({ event }) => annotationQuery(event) },
        },
        'timeline.searchCancelled': { target: 'idle', actions: 'forgetQuery' },
      },
    },
  },
})
