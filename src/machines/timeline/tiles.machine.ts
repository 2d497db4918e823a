import { assign, fromCallback, fromPromise, sendParent, setup } from 'xstate'
import type { Refusal, Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { canStillGrow, missingCells, staled, wantedCells, withTiles, type Tile } from './tiles.ts'
import { refreshInterval, type Period } from './timeline-geometry.ts'

/** `kind` tells the parent whose answer it is, `length` is the longest stretch of one request in milliseconds. */
export type TilesInput = {
  readonly kind: 'ranges' | 'annotations'
  readonly streamId: string
  readonly length: number
  readonly period: Period
  readonly width: number
  readonly now: number
}

export type TilesEvent =
  | { readonly type: 'tiles.wanted'; readonly period: Period; readonly width: number; readonly now: number }
  /** The stretch that holds the moment is asked for before any other. */
  | { readonly type: 'tiles.sought'; readonly at: number }
  /** What is shown and may have changed although it is old is asked for again. */
  | { readonly type: 'tiles.outdated' }
  | { readonly type: 'tiles.ticked'; readonly now: number }
  | { readonly type: 'page.hidden' }
  | { readonly type: 'page.shown' }

/** Told to the parent after every change; `refusal` is what the last request was refused with. */
export type TilesReport<C> = {
  readonly type: 'tiles.changed'
  readonly kind: TilesInput['kind']
  readonly tiles: readonly Tile<C>[]
  readonly refusal: Refusal | null
}

/** What became of each stretch that was asked for. */
export type TilesAnswer<V> = readonly { readonly cell: Period; readonly reply: Reply<V> }[]

type Context<C> = TilesInput & {
  readonly sought: number | null
  readonly batch: readonly Period[]
  readonly tiles: readonly Tile<C>[]
  readonly attempts: number
  readonly refusal: Refusal | null
}

const batchSize = 3
const shortestLength = 60_000
const leastPause = 2000
const mostPause = 60_000

const refusalOf = (answer: TilesAnswer<unknown>): Refusal | null =>
  answer.reduce<Refusal | null>((found, { reply }) => found ?? (reply.ok ? null : reply.refusal), null)

/**
 * Keeps what the server knows of the shown period, piece by piece: it asks for what is missing, three pieces at a time,
 * drops a request once all of it is scrolled past, asks for shorter pieces when told that they are too long, asks again
 * for what can still grow, and after a failure tries again with growing pauses. Without the right it asks nothing more.
 * `read` turns an answer into what is kept; `isOutdated` names what may have changed although it is old.
 */
export const createTilesMachine = <V, C>(
  read: (value: V, cell: Period) => C,
  isOutdated: (tile: Tile<C>) => boolean,
) =>
  setup({
    types: { context: {} as Context<C>, events: {} as TilesEvent, input: {} as TilesInput },
    actors: {
      loadTiles: fromPromise<TilesAnswer<V>, { streamId: string; cells: readonly Period[] }>(notProvided),
      visibility: fromCallback(() => undefined),
    },
    delays: {
      refreshInterval: ({ context }) => refreshInterval(context.period, context.width),
      retryPause: ({ context }) => {
        const asked = (context.refusal?.retryAfterSeconds ?? 0) * 1000
        return Math.max(asked, Math.min(mostPause, leastPause * 2 ** (context.attempts - 1)))
      },
    },
    guards: {
      isComplete: ({ context }) => missingOf(context).length === 0,
      isBatchPast: ({ context }, { period, now }: { period: Period; now: number }) => {
        const wanted = wantedCells(period, context.length, now, context.sought)
        return !context.batch.some((cell) => wanted.some(({ from }) => from === cell.from))
      },
      isForbidden: (_, { answer }: { answer: TilesAnswer<V> }) => refusalOf(answer)?.status === 403,
      isTooLong: ({ context }, { answer }: { answer: TilesAnswer<V> }) =>
        refusalOf(answer)?.code === 'TimeRangeIsTooLong' && context.length > shortestLength,
      isRefused: (_, { answer }: { answer: TilesAnswer<V> }) => refusalOf(answer) !== null,
    },
    actions: {
      chooseBatch: assign(({ context }) => ({ batch: missingOf(context).slice(0, batchSize) })),
      keep: assign(({ context }, { answer }: { answer: TilesAnswer<V> }) => ({
        tiles: withTiles(
          context.tiles,
          answer.flatMap(({ cell, reply }) =>
            reply.ok ? [{ ...cell, content: read(reply.value, cell), loadedAt: context.now, isStale: false }] : [],
          ),
          context.period,
        ),
        sought: answer.some(({ cell, reply }) => reply.ok && isIn(cell, context.sought)) ? null : context.sought,
        refusal: refusalOf(answer),
      })),
      halve: assign(({ context }) => ({ length: Math.max(shortestLength, Math.floor(context.length / 2)), refusal: null })),
      countAttempt: assign(({ context }) => ({ attempts: context.attempts + 1, sought: null })),
      forgetAttempts: assign({ attempts: 0 }),
      want: assign((_, { period, width, now }: { period: Period; width: number; now: number }) => ({ period, width, now })),
      seek: assign((_, { at }: { at: number }) => ({ sought: at })),
      tick: assign((_, { now }: { now: number }) => ({ now })),
      stale: assign(({ context }, { isStale }: { isStale: (tile: Tile<C>) => boolean }) => ({
        tiles: staled(context.tiles, context.period, isStale),
      })),
      report: sendParent(
        ({ context: { kind, tiles, refusal } }): TilesReport<C> => ({ type: 'tiles.changed', kind, tiles, refusal }),
      ),
    },
  }).createMachine({
    id: 'tiles',
    context: ({ input }) => ({ ...input, sought: null, batch: [], tiles: [], attempts: 0, refusal: null }),
    invoke: { id: 'visibility', src: 'visibility' },
    initial: 'choosing',
    on: {
      'tiles.wanted': { actions: { type: 'want', params: ({ event }) => event } },
      'tiles.sought': { actions: { type: 'seek', params: ({ event }) => event } },
      'tiles.ticked': { actions: { type: 'tick', params: ({ event }) => event } },
      'page.hidden': '.resting',
    },
    states: {
      choosing: { always: [{ guard: 'isComplete', target: 'settled' }, { target: 'loading', actions: 'chooseBatch' }] },
      loading: {
        tags: 'busy',
        invoke: {
          id: 'loadTiles',
          src: 'loadTiles',
          input: ({ context }) => ({ streamId: context.streamId, cells: context.batch }),
          onDone: [
            {
              guard: { type: 'isForbidden', params: ({ event }) => ({ answer: event.output }) },
              target: 'forbidden',
              actions: [{ type: 'keep', params: ({ event }) => ({ answer: event.output }) }, 'report'],
            },
            {
              guard: { type: 'isTooLong', params: ({ event }) => ({ answer: event.output }) },
              target: 'choosing',
              actions: [{ type: 'keep', params: ({ event }) => ({ answer: event.output }) }, 'halve'],
            },
            {
              guard: { type: 'isRefused', params: ({ event }) => ({ answer: event.output }) },
              target: 'waiting',
              actions: [{ type: 'keep', params: ({ event }) => ({ answer: event.output }) }, 'countAttempt', 'report'],
            },
            {
              target: 'choosing',
              actions: [{ type: 'keep', params: ({ event }) => ({ answer: event.output }) }, 'forgetAttempts', 'report'],
            },
          ],
          onError: { target: 'waiting', actions: ['countAttempt', 'report'] },
        },
        on: {
          'tiles.wanted': [
            {
              guard: { type: 'isBatchPast', params: ({ event }) => event },
              target: 'choosing',
              actions: { type: 'want', params: ({ event }) => event },
            },
            { actions: { type: 'want', params: ({ event }) => event } },
          ],
        },
      },
      settled: {
        after: {
          refreshInterval: { target: 'choosing', actions: { type: 'stale', params: { isStale: canStillGrow } } },
        },
        on: {
          'tiles.wanted': { target: 'choosing', actions: { type: 'want', params: ({ event }) => event } },
          'tiles.sought': { target: 'choosing', actions: { type: 'seek', params: ({ event }) => event } },
          'tiles.outdated': { target: 'choosing', actions: { type: 'stale', params: { isStale: isOutdated } } },
        },
      },
      waiting: { tags: 'error', after: { retryPause: 'choosing' } },
      forbidden: { tags: 'error', on: { 'page.hidden': {} } },
      resting: {
        on: {
          'page.shown': { target: 'choosing', actions: { type: 'stale', params: { isStale: canStillGrow } } },
        },
      },
    },
  })

const isIn = ({ from, to }: Period, at: number | null): boolean => at !== null && from <= at && at < to

function missingOf<C>({ period, length, now, sought, tiles }: Context<C>): Period[] {
  return missingCells(wantedCells(period, length, now, sought), tiles)
}
