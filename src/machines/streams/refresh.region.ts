import { unknownApiError } from '../api-errors.ts'
import { pagesToRefresh } from './in-sight.ts'
import { apiErrorIn } from './pages.ts'
import { queryOf } from './preferences.ts'
import { streamsSetup } from './streams.setup.ts'

/**
 * Asks for the pages in sight again every 10 s, each question cancelling the one before, stretching where answers take longer,
 * resting while the page is hidden.
 */
export const refreshRegion = streamsSetup.createStateConfig({
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
})
