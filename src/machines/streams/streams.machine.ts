import { assign, enqueueActions, sendParent, sendTo, setup, stateIn } from 'xstate'
import type { Refusal } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { notificationsOf } from '../notifications/notifications-ref.ts'
import { refusalOf, unknownRefusal } from '../refusals.ts'
import { missingPages, pagesInSight, picturesInSight } from './in-sight.ts'
import type { Viewport } from './layout.ts'
import { withPages, withStatus } from './listing.ts'
import {
  type ListView, type Preferences, addressOf, defaultPreferences, isSameQuery, isSameView, preferencesOf, queryOf, readPreferences, viewAfter,
  viewInAddress,
} from './preferences.ts'
import { type PagesReply, streamsActors } from './streams.actors.ts'
import type { Recalled, StreamsContext, StreamsEvent } from './streams.events.ts'

const shortestRefresh = 10_000
const longestRefresh = 80_000
const leastPause = 2000
const mostPause = 60_000

const nowhere: Viewport = { top: 0, height: 0, width: 0 }

const refusalIn = (answers: PagesReply): Refusal | null => answers.reduce<Refusal | null>((found, { reply }) => found ?? (reply.ok ? null : reply.refusal), null)

const answeredIn = (answers: PagesReply) => answers.flatMap(({ page, reply }) => (reply.ok ? [{ page, answer: reply.value }] : []))

/** The view after an event, with what an address shares. */
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

const mirror = {
  type: 'replaceAddress' as const,
  params: ({ context }: { context: StreamsContext }) => ({ search: addressOf(context.view, context.search) }),
}
const keepView = [
  { type: 'persist' as const, params: ({ context }: { context: StreamsContext }) => ({ preferences: preferencesOf(context.view) }) },
  mirror,
] as const

/**
 * All streams (spec.md §2, §4). It recalls how the list was looked at, by the address or what this browser kept; then three
 * things go on side by side. `pages` has the pages of what is in sight, and drops a request once all of it is scrolled past;
 * a new query keeps the old list until it is answered, and a failure keeps what was had and tries again with growing pauses.
 * `refresh` asks for the pages in sight again every 10 s, each question cancelling the one before, stretching where answers
 * take longer, resting while the page is hidden. `command` pauses and resumes streams, one after the other.
 */
export const streamsMachine = setup({
  types: { context: {} as StreamsContext, events: {} as StreamsEvent, input: {} as PageInput, children: {} as { panel: 'panel'; previews: 'previews' } },
  actors: streamsActors,
  actions: {
    persist: (_args, _params: { preferences: Preferences }) => undefined,
    /** Puts the query into the address where it differs, leaving no step to go back to. */
    replaceAddress: (_args, _params: { search: string }) => undefined,
    recallView: assign((_args, { context: { view, search }, recalled }: { context: StreamsContext; recalled: Recalled }) => {
      const kept = readPreferences(recalled.stored)
      return {
        view: viewInAddress(search, kept.isOpenAside) ?? { ...kept, sortType: view.sortType },
        screen: { width: recalled.width, height: recalled.height },
      }
    }),
    takeView: assign(({ context, event }) => ({ view: nextView(context, event) })),
    takeSearch: assign(({ context, event }) => ({ search: event.type === 'address.changed' ? event.address.search : context.search })),
    outdate: assign(({ context }) => ({
      isOutdated: true,
      generation: context.generation + 1,
      viewport: { ...context.viewport, top: 0 },
      attempts: 0,
    })),
    look: assign((_args, { viewport }: { viewport: Viewport }) => ({ viewport })),
    chooseBatch: assign(({ context }) => ({ batch: missingPages(context) })),
    takePages: assign(({ context }, { answers }: { answers: PagesReply }) => {
      const answered = answeredIn(answers)
      if (answered.length === 0) return {}
      return { listing: withPages(context.isOutdated ? null : context.listing, answered, queryOf(context.view)), isOutdated: false }
    }),
    takeRefresh: assign(({ context }, { answers }: { answers: PagesReply }) => ({
      listing: withPages(context.listing, answeredIn(answers), queryOf(context.view)),
      refreshRefusal: refusalIn(answers),
      refreshInterval: shortestRefresh,
    })),
    noteRefusal: assign(({ context }, { refusal }: { refusal: Refusal | null }) => ({ refusal, attempts: context.attempts + 1 })),
    noteRefreshRefusal: assign((_args, { refusal }: { refusal: Refusal }) => ({ refreshRefusal: refusal })),
    forgetRefusal: assign({ refusal: null, attempts: 0 }),
    forgetAttempts: assign({ attempts: 0 }),
    stretch: assign({ refreshInterval: ({ context }) => Math.min(longestRefresh, context.refreshInterval * 2) }),
    tellPreviews: sendTo('previews', ({ context }) => ({ type: 'previews.wanted' as const, subjects: picturesInSight(context) })),
    passOn: sendTo('previews', (_args, { isHidden }: { isHidden: boolean }) => ({
      type: isHidden ? ('page.hidden' as const) : ('page.shown' as const),
    })),
    tellMissing: sendParent({ type: 'page.missing' }),
    queueChange: assign(({ context, event }) => {
      if (event.type !== 'stream.pauseRequested' && event.type !== 'stream.resumeRequested') return {}
      if (context.changes.some(({ uid }) => uid === event.uid)) return {}
      return { changes: [...context.changes, { uid: event.uid, change: event.type === 'stream.pauseRequested' ? ('pause' as const) : ('resume' as const) }] }
    }),
    applyChange: assign(({ context }, { status }: { status: string }) => {
      const uid = context.changes[0]?.uid
      return uid === undefined || context.listing === null ? {} : { listing: withStatus(context.listing, uid, status) }
    }),
    endChange: assign({ changes: ({ context }) => context.changes.slice(1) }),
    raiseRefusal: enqueueActions(({ enqueue, system }, { refusal }: { refusal: Refusal }) => {
      const notifications = notificationsOf(system)
      if (notifications) enqueue.sendTo(notifications, { type: 'notification.raised', tone: 'error', code: refusal.code })
    }),
  },
  guards: {
    isNewQuery: ({ context, event }) => !isSameQuery(context.view, nextView(context, event)),
    isNewView: ({ context, event }) => !isSameView(context.view, nextView(context, event)),
    isComplete: ({ context }) => missingPages(context).length === 0,
    lacksPages: ({ context }, { viewport }: { viewport: Viewport }) => missingPages({ ...context, viewport }).length > 0,
    isBatchPast: ({ context }, { viewport }: { viewport: Viewport }) => {
      const wanted = missingPages({ ...context, viewport })
      return !context.batch.some((page) => wanted.includes(page))
    },
    isRefused: (_args, { answers }: { answers: PagesReply }) => refusalIn(answers) !== null,
    isMissing: (_args, { answers }: { answers: PagesReply }) => answers.some(({ page, reply }) => page === 1 && refusalOf(reply).status === 404),
    isOfNow: ({ context }, { generation }: { generation: number }) => generation === context.generation && !context.isOutdated,
    hasNothing: ({ context }) => context.isOutdated || pagesInSight(context).length === 0,
    isUnanswered: stateIn({ browsing: { refresh: { active: 'asking' } } }),
    hasChange: ({ context }) => context.changes.length > 0,
  },
  delays: {
    settle: 80,
    refreshInterval: ({ context }) => context.refreshInterval,
    retryPause: ({ context }) =>
      Math.max((context.refusal?.retryAfterSeconds ?? 0) * 1000, Math.min(mostPause, leastPause * 2 ** Math.max(0, context.attempts - 1))),
  },
}).createMachine({
  id: 'streams',
  context: ({ input }) => ({
    view: { ...defaultPreferences, sortType: 'date' },
    search: input.address.search,
    screen: { width: 0, height: 0 },
    viewport: nowhere,
    listing: null,
    isOutdated: false,
    generation: 0,
    batch: [],
    refusal: null,
    attempts: 0,
    refreshRefusal: null,
    refreshInterval: shortestRefresh,
    changes: [],
  }),
  initial: 'recalling',
  on: { 'list.viewed': { actions: { type: 'look', params: ({ event }) => event } } },
  states: {
    recalling: {
      invoke: {
        id: 'recall',
        src: 'recall',
        onDone: {
          target: 'browsing',
          actions: [{ type: 'recallView', params: ({ context, event }) => ({ context, recalled: event.output }) }, mirror],
        },
        onError: 'browsing',
      },
    },
    browsing: {
      type: 'parallel',
      invoke: [
        { id: 'visibility', src: 'visibility' },
        { id: 'previews', src: 'previews' },
        { id: 'panel', src: 'panel', input: ({ context: { view, screen } }) => ({ isOpen: view.isOpenAside, isFixed: false, ...screen }) },
      ],
      on: {
        'panel.changed': { actions: ['takeView', ...keepView] },
      },
      states: {
        pages: {
          initial: 'loading',
          on: {
            'grouping.switched': { target: '.loading', actions: ['takeView', 'outdate', ...keepView] },
            'availability.switched': { target: '.loading', actions: ['takeView', 'outdate', ...keepView] },
            'search.added': { guard: 'isNewQuery', target: '.loading', actions: ['takeView', 'outdate', ...keepView] },
            'search.removed': { guard: 'isNewQuery', target: '.loading', actions: ['takeView', 'outdate', ...keepView] },
            'search.cleared': { guard: 'isNewQuery', target: '.loading', actions: ['takeView', 'outdate', ...keepView] },
            'sort.chosen': { guard: 'isNewQuery', target: '.loading', actions: ['takeView', 'outdate', ...keepView] },
            'table.switched': { actions: ['takeView', ...keepView, 'tellPreviews'] },
            'address.changed': [
              { guard: 'isNewQuery', target: '.loading', actions: ['takeSearch', 'takeView', 'outdate', ...keepView] },
              { guard: 'isNewView', actions: ['takeSearch', 'takeView', ...keepView, 'tellPreviews'] },
              { actions: ['takeSearch', mirror] },
            ],
            'list.viewed': { actions: [{ type: 'look', params: ({ event }) => event }, 'tellPreviews'] },
          },
          states: {
            loading: {
              tags: 'busy',
              entry: 'chooseBatch',
              invoke: {
                id: 'fetchPages',
                src: 'fetchPages',
                input: ({ context }) => ({ query: queryOf(context.view), pages: context.batch }),
                onDone: [
                  { guard: { type: 'isMissing', params: ({ event }) => ({ answers: event.output }) }, target: 'settled', actions: 'tellMissing' },
                  {
                    guard: { type: 'isRefused', params: ({ event }) => ({ answers: event.output }) },
                    target: 'failed',
                    actions: [
                      { type: 'takePages', params: ({ event }) => ({ answers: event.output }) },
                      { type: 'noteRefusal', params: ({ event }) => ({ refusal: refusalIn(event.output) }) },
                      'tellPreviews',
                    ],
                  },
                  {
                    target: 'choosing',
                    actions: [{ type: 'takePages', params: ({ event }) => ({ answers: event.output }) }, 'forgetRefusal', 'tellPreviews'],
                  },
                ],
                onError: { target: 'failed', actions: { type: 'noteRefusal', params: { refusal: unknownRefusal } } },
              },
              on: {
                'list.viewed': [
                  {
                    guard: { type: 'isBatchPast', params: ({ event }) => event },
                    target: 'settling',
                    actions: [{ type: 'look', params: ({ event }) => event }, 'tellPreviews'],
                  },
                  { actions: [{ type: 'look', params: ({ event }) => event }, 'tellPreviews'] },
                ],
              },
            },
            choosing: { always: [{ guard: 'isComplete', target: 'settled' }, { target: 'loading' }] },
            settled: {
              on: {
                'list.viewed': [
                  {
                    guard: { type: 'lacksPages', params: ({ event }) => event },
                    target: 'settling',
                    actions: [{ type: 'look', params: ({ event }) => event }, 'tellPreviews'],
                  },
                  { actions: [{ type: 'look', params: ({ event }) => event }, 'tellPreviews'] },
                ],
                'table.switched': { target: 'settling', actions: ['takeView', ...keepView, 'tellPreviews'] },
              },
            },
            /** A scroll that goes on asks for the pages where it is, not for all that it passes. */
            settling: { after: { settle: 'choosing' } },
            failed: {
              tags: 'error',
              after: { retryPause: 'loading' },
              on: { 'list.retried': { target: 'loading', actions: 'forgetAttempts' } },
            },
          },
        },
        refresh: {
          initial: 'active',
          states: {
            active: {
              initial: 'waiting',
              on: {
                'page.hidden': { target: 'resting', actions: { type: 'passOn', params: { isHidden: true } } },
                'list.retried': { target: '.asking', reenter: true },
              },
              after: {
                refreshInterval: [
                  { guard: 'hasNothing', target: '.waiting', reenter: true },
                  { guard: 'isUnanswered', target: '.asking', reenter: true, actions: 'stretch' },
                  { target: '.asking', reenter: true },
                ],
              },
              states: {
                waiting: {},
                asking: {
                  invoke: {
                    id: 'refreshPages',
                    src: 'refreshPages',
                    input: ({ context }) => ({ query: queryOf(context.view), pages: pagesInSight(context), generation: context.generation }),
                    onDone: [
                      {
                        guard: { type: 'isOfNow', params: ({ event }) => event.output },
                        target: 'waiting',
                        actions: [{ type: 'takeRefresh', params: ({ event }) => event.output }, 'tellPreviews'],
                      },
                      { target: 'waiting' },
                    ],
                    onError: { target: 'waiting', actions: { type: 'noteRefreshRefusal', params: { refusal: unknownRefusal } } },
                  },
                },
              },
            },
            resting: {
              on: { 'page.shown': { target: 'active.asking', actions: { type: 'passOn', params: { isHidden: false } } } },
            },
          },
        },
        command: {
          initial: 'none',
          on: { 'stream.pauseRequested': { actions: 'queueChange' }, 'stream.resumeRequested': { actions: 'queueChange' } },
          states: {
            none: { always: { guard: 'hasChange', target: 'changing' } },
            changing: {
              invoke: {
                id: 'changeStatus',
                src: 'changeStatus',
                input: ({ context }) => context.changes[0] ?? { uid: '', change: 'pause' },
                onDone: [
                  {
                    guard: ({ event }) => event.output.ok,
                    target: 'none',
                    actions: [
                      { type: 'applyChange', params: ({ event }) => ({ status: event.output.ok ? event.output.value.status : '' }) },
                      'endChange',
                      'tellPreviews',
                    ],
                  },
                  {
                    target: 'none',
                    actions: ['endChange', { type: 'raiseRefusal', params: ({ event }) => ({ refusal: refusalOf(event.output) }) }],
                  },
                ],
                onError: { target: 'none', actions: ['endChange', { type: 'raiseRefusal', params: { refusal: unknownRefusal } }] },
              },
            },
          },
        },
      },
    },
  },
})
