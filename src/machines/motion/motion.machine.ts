import { type ActorRefFrom, assign, fromPromise, setup } from 'xstate'
import type { Box } from '../../api/contract/box.ts'
import type { FoundMotion, MotionAnswer } from '../../api/contract/motion.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { MotionQuery } from '../../api/resources/motion.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import { notProvided } from '../not-provided.ts'
import { previewsMachine } from '../streams/previews.machine.ts'
import { wholePicture } from './area.ts'

/** What is searched: the last hour, the last 24 hours, or the period that the timeline shows. */
export type SearchPeriod = 'hour' | 'day' | 'visible'

export type MotionEvent =
  | { type: 'area.changed'; area: Box }
  | { type: 'period.chosen'; searchPeriod: SearchPeriod }
  | { type: 'sensitivity.chosen'; sensitivity: number }
  /** `visible`: the period that the timeline shows. */
  | { type: 'search.requested'; now: number; visible: TimeRange }
  | { type: 'search.cancelled' }
  | { type: 'search.retried' }

interface Context {
  uid: string
  area: Box
  searchPeriod: SearchPeriod
  /** 1 to 100. */
  sensitivity: number
  /** The range of the last search. */
  range: TimeRange
  /** How far the range has been searched. */
  searchedUntil: number
  items: readonly FoundMotion[]
  /**
   * Whether a part of the range has no motion index and was searched by the size of the video data, without the area.
   */
  isBySize: boolean
  apiError: ApiError | null
  previews: ActorRefFrom<typeof previewsMachine>
}

const hourMs = 3_600_000
const periodMs = { hour: hourMs, day: 24 * hourMs } as const
/** The range of one request; it is short, so that results appear early. */
const sliceMs = 3 * hourMs
const maxItems = 1000
/** The longest range that is searched; the server accepts no longer one (docs/wire.md §6, `motion`). */
const maxRangeMs = 31 * 24 * hourMs

/** The range to search, which ends at `now` at the latest. */
const rangeOf = (searchPeriod: SearchPeriod, now: number, visible: TimeRange): TimeRange => {
  if (searchPeriod !== 'visible') return { from: now - periodMs[searchPeriod], to: now }
  const to = Math.max(visible.from + 1, Math.min(visible.to, now))
  return { from: Math.max(visible.from, to - maxRangeMs), to }
}

/** Adds the results of the next slice; motion across the border of two slices becomes one range. */
const withNextSlice = (before: readonly FoundMotion[], slice: readonly FoundMotion[]): readonly FoundMotion[] => {
  const [last, first] = [before.at(-1), slice[0]]
  if (last === undefined || first === undefined) return [...before, ...slice]
  if (first.startTime > last.endTime || first.source !== last.source) return [...before, ...slice]
  const both = { ...last, endTime: first.endTime, score: Math.max(last.score, first.score) }
  return [...before.slice(0, -1), both, ...slice.slice(1)]
}

const nothingFound = { items: [], isBySize: false, apiError: null }

/**
 * Searches motion in an area of a stream's picture, slice by slice, and shows each result at once. A change of area,
 * period or sensitivity (`drawing`) clears the results until the next search.
 */
export const motionMachine = setup({
  types: {
    context: {} as Context,
    events: {} as MotionEvent,
    input: {} as { uid: string },
    children: {} as { search: 'search' },
  },
  actors: {
    previews: previewsMachine,
    search: fromPromise<Reply<MotionAnswer>, MotionQuery>(notProvided),
  },
  guards: {
    isRefused: (_args, { reply }: { reply: Reply<MotionAnswer> }) => !reply.ok,
    isOver: ({ context }) => context.searchedUntil >= context.range.to || context.items.length >= maxItems,
  },
  actions: {
    assignArea: assign((_args, { area }: { area: Box }) => ({ area })),
    assignSearchPeriod: assign((_args, { searchPeriod }: { searchPeriod: SearchPeriod }) => ({ searchPeriod })),
    assignSensitivity: assign((_args, { sensitivity }: { sensitivity: number }) => ({ sensitivity })),
    begin: assign(({ context }, { now, visible }: { now: number; visible: TimeRange }) => {
      const range = rangeOf(context.searchPeriod, now, visible)
      return { ...nothingFound, range, searchedUntil: range.from }
    }),
    forget: assign(nothingFound),
    addFound: assign(({ context }, { reply }: { reply: Reply<MotionAnswer> }) => {
      if (!reply.ok) return {}
      const { items, coverage, searchedUntil } = reply.value
      return {
        items: withNextSlice(context.items, items),
        isBySize: context.isBySize || coverage.some(({ source }) => source === 'size'),
        // Without progress the search ends.
        searchedUntil: searchedUntil > context.searchedUntil ? searchedUntil : context.range.to,
      }
    }),
    assignApiError: assign((_args, { apiError }: { apiError: ApiError }) => ({ apiError })),
  },
}).createMachine({
  id: 'motion',
  context: ({ input, spawn }) => ({
    uid: input.uid,
    area: wholePicture,
    searchPeriod: 'day',
    sensitivity: 50,
    range: { from: 0, to: 0 },
    searchedUntil: 0,
    previews: spawn('previews', { id: 'previews' }),
    ...nothingFound,
  }),
  initial: 'drawing',
  on: {
    'area.changed': {
      target: '.drawing',
      actions: [{ type: 'assignArea', params: ({ event }) => event }, 'forget'],
    },
    'period.chosen': {
      target: '.drawing',
      actions: [{ type: 'assignSearchPeriod', params: ({ event }) => event }, 'forget'],
    },
    'sensitivity.chosen': {
      target: '.drawing',
      actions: [{ type: 'assignSensitivity', params: ({ event }) => event }, 'forget'],
    },
    'search.requested': {
      target: '.searching',
      actions: { type: 'begin', params: ({ event }) => event },
    },
  },
  states: {
    drawing: {},
    searching: {
      tags: 'busy',
      initial: 'asking',
      on: { 'search.cancelled': 'shown' },
      states: {
        asking: {
          invoke: {
            id: 'search',
            src: 'search',
            input: ({ context: { uid, area, sensitivity, searchedUntil, range } }) => ({
              uid,
              area,
              sensitivity,
              from: searchedUntil,
              to: Math.min(range.to, searchedUntil + sliceMs),
            }),
            onDone: [
              {
                guard: { type: 'isRefused', params: ({ event }) => ({ reply: event.output }) },
                target: '#motion.failed',
                actions: { type: 'assignApiError', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
              },
              {
                target: 'deciding',
                actions: { type: 'addFound', params: ({ event }) => ({ reply: event.output }) },
              },
            ],
            onError: {
              target: '#motion.failed',
              actions: { type: 'assignApiError', params: { apiError: unknownApiError } },
            },
          },
        },
        deciding: { always: [{ guard: 'isOver', target: '#motion.shown' }, { target: 'asking' }] },
      },
    },
    shown: {},
    failed: {
      tags: 'error',
      on: { 'search.retried': { target: 'searching', actions: assign({ apiError: null }) } },
    },
  },
})
