import { unknownApiError } from '../api-errors.ts'
import { pagesToRefresh } from './in-sight.ts'
import { apiErrorIn } from './pages.ts'
import { queryOf } from './preferences.ts'
import { streamsSetup } from './streams.setup.ts'

/**
 * Refreshes the pages in sight every 10 s, less often if answers take longer, no sooner than the server's
 * `retry-after`, and not while the page is hidden.
 */
export const refreshRegion = streamsSetup.createStateConfig({
  initial: 'waiting',
  invoke: { id: 'poll', src: 'poll', input: { intervalMs: 10_000, maxIntervalMs: 80_000 } },
  on: {
    'list.retried': { actions: 'requestRefresh' },
    'bulk.ended': { actions: 'requestRefresh' },
    'poll.due': [{ guard: 'hasNothingToRefresh', target: '.waiting' }, { target: '.fetching' }],
    'poll.rested': '.waiting',
  },
  states: {
    waiting: { entry: 'notifyAnswered' },
    fetching: {
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
            guard: { type: 'isCurrent', params: ({ event }) => event.output },
            target: 'waiting',
            actions: [
              { type: 'assignRefresh', params: ({ event }) => event.output },
              {
                type: 'handleRefreshApiError',
                params: ({ event }) => ({ apiError: apiErrorIn(event.output.answers) }),
              },
              { type: 'delayPoll', params: ({ event }) => ({ apiError: apiErrorIn(event.output.answers) }) },
              'notifyPreviews',
            ],
          },
          { target: 'waiting' },
        ],
        onError: {
          target: 'waiting',
          actions: { type: 'handleRefreshApiError', params: { apiError: unknownApiError } },
        },
      },
    },
  },
})
