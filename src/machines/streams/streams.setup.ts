import { assign, enqueueActions, raise, sendParent, sendTo, setup } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { ApiError } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { raiseErrorToast } from '../notifications/toast.ts'
import { notifyPageApiError } from '../notifications/page-error.ts'
import { apiErrorOf } from '../api-errors.ts'
import { backoff } from '../backoff.ts'
import { delayPoll } from '../polling/delay-poll.ts'
import { missingPages, pagesInSight, picturesInSight } from './in-sight.ts'
import type { Viewport } from './layout.ts'
import { withPages, withStatus, withStreams } from './listing.ts'
import { type PagesReply, answeredIn } from './pages.ts'
import { isBatchObsolete, withAnswers } from './paging-states.ts'
import {
  type ListView,
  type Preferences,
  type SortType,
  isSameQuery,
  isSameView,
  queryOf,
  readPreferences,
  readSortType,
  viewAfter,
  viewInAddress,
} from './preferences.ts'
import { streamsActors } from './streams.actors.ts'
import type { StoredView, StreamsContext, StreamsEvent } from './streams.events.ts'

/** The view after an event that may change it. */
function nextView({ view }: StreamsContext, event: StreamsEvent): ListView {
  switch (event.type) {
    case 'address.changed':
      return viewInAddress(event.address.search, view.isOpenAside) ?? view
    case 'panel.changed':
      return { ...view, isOpenAside: event.isOpen }
    case 'grouping.switched':
    case 'table.switched':
    case 'availability.switched':
    case 'search.added':
    case 'search.removed':
    case 'search.cleared':
    case 'sort.chosen':
      return viewAfter(view, event)
    default:
      return view
  }
}

const previewsRequested = ({ context }: { context: StreamsContext }) => ({
  type: 'previews.requested' as const,
  subjects: picturesInSight(context),
})

export const streamsSetup = setup({
  types: {
    context: {} as StreamsContext,
    events: {} as StreamsEvent,
    input: {} as PageInput,
    children: {} as { panel: 'panel'; previews: 'previews'; bulk: 'bulk'; poll: 'poll' },
  },
  actors: streamsActors,
  actions: {
    storePreferences: (_args, _params: { preferences: Preferences; sortType: SortType }) => undefined,
    /** Writes the query into the address if it differs, without a history entry. */
    replaceAddress: (_args, _params: { search: string }) => undefined,
    restoreView: assign((_args, { context: { search }, stored }: { context: StreamsContext; stored: StoredView }) => {
      const preferences = readPreferences(stored.stored)
      return {
        view: viewInAddress(search, preferences.isOpenAside) ?? {
          ...preferences,
          sortType: readSortType(stored.storedSort),
        },
        screen: { width: stored.width, height: stored.height },
      }
    }),
    assignView: assign(({ context, event }) => ({ view: nextView(context, event) })),
    assignSearch: assign(({ context, event }) => ({
      search: event.type === 'address.changed' ? event.address.search : context.search,
    })),
    /** The list is shown until the first answer to the new query. */
    outdate: assign(({ context }) => ({
      isOutdated: true,
      generation: context.generation + 1,
      viewport: { ...context.viewport, top: 0 },
      attempts: 0,
      refreshed: [],
    })),
    setViewport: assign((_args, { viewport }: { viewport: Viewport }) => ({ viewport })),
    chooseBatch: assign(({ context }) => ({ batch: missingPages(context) })),
    assignPages: enqueueActions(({ context, enqueue }, { answers }: { answers: PagesReply }) => {
      enqueue.assign(withAnswers(context, answers, queryOf(context.view)))
      enqueue.sendTo('previews', previewsRequested)
    }),
    assignRefresh: assign(({ context }, { answers }: { answers: PagesReply }) => ({
      listing: withPages(context.listing, answeredIn(answers), queryOf(context.view)),
      refreshed: [
        ...context.refreshed.filter((one) => !answers.some(({ page }) => page === one)),
        ...answers.map(({ page }) => page),
      ],
    })),
    handleApiError: enqueueActions(({ context, enqueue, system }, { apiError }: { apiError: ApiError | null }) => {
      enqueue.assign({ apiError, attempts: context.attempts + 1 })
      notifyPageApiError({ enqueue, system }, apiError, context.apiError)
    }),
    handleRefreshApiError: enqueueActions(
      ({ context, enqueue, system }, { apiError }: { apiError: ApiError | null }) => {
        enqueue.assign({ refreshApiError: apiError })
        notifyPageApiError({ enqueue, system }, apiError, context.refreshApiError)
      },
    ),
    delayPoll: enqueueActions(delayPoll),
    forgetApiError: assign({ apiError: null, attempts: 0 }),
    forgetAttempts: assign({ attempts: 0 }),
    notifyAnswered: sendTo('poll', { type: 'poll.answered' }),
    requestRefresh: sendTo('poll', { type: 'poll.requested' }),
    /** Drops the refresh in progress, as its answer may be older than a change. */
    dropRefresh: raise({ type: 'poll.rested' }),
    notifyPreviews: sendTo('previews', previewsRequested),
    notifyMissing: sendParent({ type: 'page.missing' }),
    /** One change at a time for each stream. */
    queueChange: assign(({ context, event }) => {
      if (event.type !== 'stream.pauseRequested' && event.type !== 'stream.resumeRequested') return {}
      if (context.changes.some(({ uid }) => uid === event.uid)) return {}
      return {
        changes: [
          ...context.changes,
          { uid: event.uid, change: event.type === 'stream.pauseRequested' ? ('pause' as const) : ('resume' as const) },
        ],
      }
    }),
    applyChange: assign(({ context }, { status }: { status: string }) => {
      const uid = context.changes[0]?.uid
      return uid === undefined || context.listing === null ? {} : { listing: withStatus(context.listing, uid, status) }
    }),
    assignStreams: assign(({ context }, { streams }: { streams: readonly Stream[] }) =>
      context.listing === null ? {} : { listing: withStreams(context.listing, streams) },
    ),
    endChange: assign({ changes: ({ context }) => context.changes.slice(1) }),
    raiseApiError: enqueueActions(raiseErrorToast),
  },
  guards: {
    isNewQuery: ({ context, event }) => !isSameQuery(context.view, nextView(context, event)),
    isNewView: ({ context, event }) => !isSameView(context.view, nextView(context, event)),
    isComplete: ({ context }) => missingPages(context).length === 0,
    lacksPages: ({ context }) => context.listing !== null && !context.isOutdated && missingPages(context).length > 0,
    isBatchObsolete: ({ context }) => isBatchObsolete(context, missingPages(context)),
    isMissing: (_args, { answers }: { answers: PagesReply }) =>
      answers.some(({ page, reply }) => page === 1 && apiErrorOf(reply).status === 404),
    isCurrent: ({ context }, { generation }: { generation: number }) =>
      generation === context.generation && !context.isOutdated,
    hasNothingToRefresh: ({ context }) => context.isOutdated || pagesInSight(context).length === 0,
    hasChange: ({ context }) => context.changes.length > 0,
  },
  delays: {
    scrollPause: 80,
    retryPause: ({ context }) => backoff(context.attempts, { minMs: 2000, maxMs: 60_000 }, context.apiError),
  },
})
