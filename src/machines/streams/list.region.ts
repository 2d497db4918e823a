import { unknownApiError } from '../api-errors.ts'
import { apiErrorIn } from './pages.ts'
import { queryOf } from './preferences.ts'
import { keepView, mirror } from './keeping-view.ts'
import { streamsSetup } from './streams.setup.ts'

const changedQuery = { target: '.loading', actions: ['takeView', 'outdate', ...keepView] } as const
const anotherQuery = { guard: 'isNewQuery', ...changedQuery } as const

/**
 * What is shown: how the list is filtered, grouped and sorted, and the pages of what is in sight. A request is dropped
 * once all of it is scrolled past; a new query keeps the old list until it is answered, and a failure keeps what was
 * had and tries again with growing pauses.
 */
export const listRegion = streamsSetup.createStateConfig({
  initial: 'loading',
  on: {
    'grouping.switched': changedQuery,
    'availability.switched': changedQuery,
    'search.added': anotherQuery,
    'search.removed': anotherQuery,
    'search.cleared': anotherQuery,
    'sort.chosen': anotherQuery,
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
    /** A scroll, another view, or a list of another length leave pages to be had. */
    settled: { always: { guard: 'lacksPages', target: 'settling' } },
    /** A scroll that goes on asks for the pages where it is, not for all that it passes. */
    settling: { after: { settle: 'choosing' } },
    failed: {
      tags: 'error',
      after: { retryPause: 'loading' },
      on: { 'list.retried': { target: 'loading', actions: 'forgetAttempts' } },
    },
  },
})
