import { commandsRegion } from './commands.region.ts'
import { storeView, writeView } from './keeping-view.ts'
import type { Viewport } from './layout.ts'
import { listRegion } from './list.region.ts'
import { defaultPreferences } from './preferences.ts'
import { refreshRegion } from './refresh.region.ts'
import { streamsSetup } from './streams.setup.ts'

const noViewport: Viewport = { top: 0, height: 0, width: 0 }

/**
 * The page of all streams (docs/behaviour.md §5). It first restores the view of the list from the address or, without
 * one there, from this browser. Then three regions run in parallel: `pages` fetches the parts of the list that are in
 * sight, `refresh` polls them, and `command` pauses and resumes single streams. The child machine `bulk` has the
 * selection and its jobs, and reports changed streams.
 */
export const streamsMachine = streamsSetup.createMachine({
  id: 'streams',
  context: ({ input }) => ({
    view: { ...defaultPreferences, sortType: 'date' },
    search: input.address.search,
    screen: { width: 0, height: 0 },
    viewport: noViewport,
    listing: null,
    isOutdated: false,
    generation: 0,
    batch: [],
    apiError: null,
    attempts: 0,
    refreshApiError: null,
    refreshed: [],
    changes: [],
  }),
  initial: 'restoring',
  on: { 'list.viewed': { actions: { type: 'setViewport', params: ({ event }) => event } } },
  states: {
    restoring: {
      invoke: {
        id: 'readStored',
        src: 'readStored',
        onDone: {
          target: 'browsing',
          actions: [
            { type: 'restoreView', params: ({ context, event }) => ({ context, stored: event.output }) },
            writeView,
          ],
        },
        onError: 'browsing',
      },
    },
    browsing: {
      type: 'parallel',
      invoke: [
        { id: 'previews', src: 'previews' },
        { id: 'bulk', src: 'bulk' },
        {
          id: 'panel',
          src: 'panel',
          input: ({ context: { view, screen } }) => ({ isOpen: view.isOpenAside, isFixed: false, ...screen }),
        },
      ],
      on: {
        'panel.changed': { actions: ['assignView', ...storeView] },
        'bulk.changed': { actions: [{ type: 'assignStreams', params: ({ event }) => event }, 'notifyPreviews'] },
      },
      states: {
        pages: listRegion,
        refresh: refreshRegion,
        command: commandsRegion,
      },
    },
  },
})
