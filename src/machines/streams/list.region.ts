import { pagingStates } from './paging-states.ts'
import { queryOf } from './preferences.ts'
import { storeView, writeView } from './keeping-view.ts'
import type { PagesReply } from './pages.ts'
import type { StreamsContext } from './streams.events.ts'
import { streamsSetup } from './streams.setup.ts'

const newQuery = { target: '.loading', actions: ['assignView', 'outdate', ...storeView] } as const
const newQueryIfOther = { guard: 'isNewQuery', ...newQuery } as const

const states = pagingStates(({ view }: StreamsContext) => queryOf(view))
const { loading } = states

/**
 * The filter, grouping and order of the list, and its pages in sight. After a new query the old list stays until the
 * answer.
 */
export const listRegion = streamsSetup.createStateConfig({
  initial: 'loading',
  on: {
    'grouping.switched': newQuery,
    'availability.switched': newQuery,
    'search.added': newQueryIfOther,
    'search.removed': newQueryIfOther,
    'search.cleared': newQueryIfOther,
    'sort.chosen': newQueryIfOther,
    'table.switched': { actions: ['assignView', ...storeView, 'notifyPreviews'] },
    'address.changed': [
      { guard: 'isNewQuery', target: '.loading', actions: ['assignSearch', 'assignView', 'outdate', ...storeView] },
      { guard: 'isNewView', actions: ['assignSearch', 'assignView', ...storeView, 'notifyPreviews'] },
      { actions: ['assignSearch', writeView] },
    ],
    'list.viewed': { actions: [{ type: 'setViewport', params: ({ event }) => event }, 'notifyPreviews'] },
  },
  states: {
    ...states,
    loading: {
      ...loading,
      invoke: {
        ...loading.invoke,
        onDone: [
          {
            guard: {
              type: 'isMissing',
              params: ({ event }: { event: { output: PagesReply } }) => ({ answers: event.output }),
            },
            target: 'settled',
            actions: 'notifyMissing',
          },
          ...loading.invoke.onDone,
        ],
      },
    },
  },
})
