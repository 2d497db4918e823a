import type { StreamsContext } from './streams.events.ts'
import { pagesToRefresh } from './in-sight.ts'
import type { Viewport } from './layout.ts'
import { addressOf, defaultPreferences, preferencesOf, queryOf } from './preferences.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import { apiErrorIn } from './pages.ts'
import { shortestRefresh, streamsSetup } from './streams.setup.ts'

const nowhere: Viewport = { top: 0, height: 0, width: 0 }

const mirror = {
  type: 'replaceAddress' as const,
  params: ({ context }: { context: StreamsContext }) => ({ search: addressOf(context.view, context.search) }),
}
const keepView = [
  {
    type: 'persist' as const,
    params: ({ context }: { context: StreamsContext }) => ({
      preferences: preferencesOf(context.view),
      sortType: context.view.sortType,
    }),
  },
  mirror,
] as const

/**
 * All streams (docs/behaviour.md §5). It recalls how the list was looked at, by the address or what this browser kept; then three
 * things go on side by side. `pages` has the pages of what is in sight, and drops a request once all of it is scrolled past;
 * a new query keeps the old list until it is answered, and a failure keeps what was had and tries again with growing pauses.
 * `refresh` asks for the pages in sight again every 10 s, each question cancelling the one before, stretching where answers
 * take longer, resting while the page is hidden. `command` pauses and resumes streams, one after the other. What is chosen,
 * and done to all that is, is the business of a child, which tells of what it changed.
 */
export const streamsMachine = streamsSetup.createMachine({
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
    apiError: null,
    attempts: 0,
    refreshApiError: null,
    refreshInterval: shortestRefresh,
    refreshed: [],
    changes: [],
  }),
  initial: 'recalling',
  on: { 'list.viewed': { actions: { type: 'setViewport', params: ({ event }) => event } } },
  states: {
    recalling: {
      invoke: {
        id: 'recall',
        src: 'recall',
        onDone: {
          target: 'browsing',
          actions: [
            { type: 'recallView', params: ({ context, event }) => ({ context, recalled: event.output }) },
            mirror,
          ],
        },
        onError: 'browsing',
      },
    },
    browsing: {
      type: 'parallel',
      invoke: [
        { id: 'visibility', src: 'visibility' },
        { id: 'previews', src: 'previews' },
        { id: 'bulk', src: 'bulk' },
        {
          id: 'panel',
          src: 'panel',
          input: ({ context: { view, screen } }) => ({ isOpen: view.isOpenAside, isFixed: false, ...screen }),
        },
      ],
      on: {
        'panel.changed': { actions: ['takeView', ...keepView] },
        'bulk.changed': { actions: [{ type: 'takeStreams', params: ({ event }) => event }, 'tellPreviews'] },
      },
      states: {
        pages: {
          initial: 'loading',
          on: {
            'grouping.switched': { target: '.loading', actions: ['takeView', 'outdate', ...keepView] },
            'availability.switched': { target: '.loading', actions: ['takeView', 'outdate', ...keepView] },
            'search.added': { guard: 'isNewQuery', target: '.loading', actions: ['takeView', 'outdate', ...keepView] },
            'search.removed': {
              guard: 'isNewQuery',
              target: '.loading',
              actions: ['takeView', 'outdate', ...keepView],
            },
            'search.cleared': {
              guard: 'isNewQuery',
              target: '.loading',
              actions: ['takeView', 'outdate', ...keepView],
            },
            'sort.chosen': { guard: 'isNewQuery', target: '.loading', actions: ['takeView', 'outdate', ...keepView] },
            'table.switched': { actions: ['takeView', ...keepView, 'tellPreviews'] },
            'address.changed': [
              { guard: 'isNewQuery', target: '.loading', actions: ['takeSearch', 'takeView', 'outdate', ...keepView] },
              { guard: 'isNewView', actions: ['takeSearch', 'takeView', ...keepView, 'tellPreviews'] },
              { actions: ['takeSearch', mirror] },
            ],
            'list.viewed': { actions: [{ type: 'setViewport', params: ({ event }) => event }, 'tellPreviews'] },
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
                  {
                    guard: { type: 'isMissing', params: ({ event }) => ({ answers: event.output }) },
                    target: 'settled',
                    actions: 'tellMissing',
                  },
                  {
                    guard: { type: 'isRefused', params: ({ event }) => ({ answers: event.output }) },
                    target: 'failed',
                    actions: [
                      { type: 'takePages', params: ({ event }) => ({ answers: event.output }) },
                      { type: 'noteApiError', params: ({ event }) => ({ apiError: apiErrorIn(event.output) }) },
                      'tellPreviews',
                    ],
                  },
                  {
                    target: 'choosing',
                    actions: [
                      { type: 'takePages', params: ({ event }) => ({ answers: event.output }) },
                      'forgetApiError',
                      'tellPreviews',
                    ],
                  },
                ],
                onError: { target: 'failed', actions: { type: 'noteApiError', params: { apiError: unknownApiError } } },
              },
              on: {
                'list.viewed': [
                  {
                    guard: { type: 'isBatchPast', params: ({ event }) => event },
                    target: 'settling',
                    actions: [{ type: 'setViewport', params: ({ event }) => event }, 'tellPreviews'],
                  },
                  { actions: [{ type: 'setViewport', params: ({ event }) => event }, 'tellPreviews'] },
                ],
              },
            },
            choosing: { always: [{ guard: 'isComplete', target: 'settled' }, { target: 'loading' }] },
            /** A scroll, another look, or a refresh by which the list turns out to be of another length leave pages to be had. */
            settled: { always: { guard: 'lacksPages', target: 'settling' } },
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
                'bulk.ended': { target: '.asking', reenter: true },
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
                    input: ({ context }) => ({
                      query: queryOf(context.view),
                      pages: pagesToRefresh(context),
                      generation: context.generation,
                    }),
                    onDone: [
                      {
                        guard: { type: 'isOfNow', params: ({ event }) => event.output },
                        target: 'waiting',
                        actions: [
                          { type: 'takeRefresh', params: ({ event }) => event.output },
                          {
                            type: 'noteRefreshApiError',
                            params: ({ event }) => ({ apiError: apiErrorIn(event.output.answers) }),
                          },
                          'tellPreviews',
                        ],
                      },
                      { target: 'waiting' },
                    ],
                    onError: {
                      target: 'waiting',
                      actions: { type: 'noteRefreshApiError', params: { apiError: unknownApiError } },
                    },
                  },
                },
              },
            },
            resting: {
              on: {
                'page.shown': { target: 'active.asking', actions: { type: 'passOn', params: { isHidden: false } } },
              },
            },
          },
        },
        command: {
          initial: 'none',
          on: {
            'stream.pauseRequested': { actions: 'queueChange' },
            'stream.resumeRequested': { actions: 'queueChange' },
          },
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
                      {
                        type: 'applyChange',
                        params: ({ event }) => ({ status: event.output.ok ? event.output.value.status : '' }),
                      },
                      'endChange',
                      'tellPreviews',
                    ],
                  },
                  {
                    target: 'none',
                    actions: [
                      'endChange',
                      { type: 'raiseApiError', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
                    ],
                  },
                ],
                onError: {
                  target: 'none',
                  actions: ['endChange', { type: 'raiseApiError', params: { apiError: unknownApiError } }],
                },
              },
            },
          },
        },
      },
    },
  },
})
