import { createElement } from 'react'
import { type ActorRefFrom, fromCallback, fromPromise } from 'xstate'
import { currentAddress } from '../../api/browser/location.ts'
import { whenIdle } from '../../api/browser/idle.ts'
import { readStored, writeStored } from '../../api/browser/storage.ts'
import { viewportSize, watchViewport } from '../../api/browser/viewport.ts'
import { changeStatus } from '../stream/change-status.ts'
import { refreshStreams } from '../../api/resources/streams.ts'
import { sidePanelMachine } from '../../machines/side-panel/side-panel.machine.ts'
import { streamsMachine } from '../../machines/streams/streams.machine.ts'
import { bulkBar } from '../../views/streams/bulk-bar.ts'
import { filtersPanel, streamTable } from '../../views/streams/deferred-modules.ts'
import { StreamsPage } from '../../views/streams/StreamsPage.tsx'
import { overlays } from '../../views/ui/overlays.ts'
import { knownOrFetch } from '../shared/known-or-fetch.ts'
import { definePage } from '../page.ts'
import { bulk } from './bulk.ts'
import { fetchPages } from './list-pages.ts'
import { createPreviews } from '../shared/previews.ts'
import { poll } from '../shared/poll.ts'
import { writeAddress } from '../shared/page-address.ts'

const keys = { preferences: 'all-streams', sortType: 'all-streams-sort' }

/**
 * The next press most likely opens a menu, selects a stream, asks for the table or the filters, or opens the player:
 * their code is loaded once the list is shown and the browser is idle.
 */
function preloadNext(): void {
  void overlays.load().catch(() => null)
  void bulkBar.load().catch(() => null)
  void streamTable.load().catch(() => null)
  void filtersPanel.load().catch(() => null)
  void import('../player/player.ts').catch(() => null)
  void import('../player/tools.ts').catch(() => null)
  void import('../../api/media/controller/create-media-controller.ts').catch(() => null)
  void import('../../api/media/engine/preload-engine.ts').then(({ preloadEngine }) => preloadEngine()).catch(() => null)
}

const logic = streamsMachine.provide({
  actors: {
    readStored: knownOrFetch(() => ({
      stored: readStored('local', keys.preferences),
      storedSort: readStored('local', keys.sortType),
      ...viewportSize(),
    })),
    fetchPages: fromPromise(async ({ input, signal }) => {
      const replies = await fetchPages(input, signal)
      whenIdle(preloadNext)
      return replies
    }),
    refreshPages: fromPromise(async ({ input: { query, pages, generation }, signal }) => ({
      generation,
      answers: await Promise.all(
        pages.map(async (page) => ({ page, reply: await refreshStreams(query, page, signal) })),
      ),
    })),
    changeStatus,
    poll,
    previews: createPreviews(),
    bulk,
    panel: sidePanelMachine.provide({
      actors: {
        watchViewport: fromCallback(({ sendBack }) =>
          watchViewport((size) => sendBack({ type: 'viewport.resized', ...size })),
        ),
      },
    }),
  },
  actions: {
    storePreferences: (_args, { preferences, sortType }) => {
      writeStored('local', keys.preferences, preferences)
      writeStored('local', keys.sortType, sortType)
    },
    replaceAddress: ({ system }, { search }) => {
      const address = currentAddress()
      if (address.search !== search) writeAddress(system, address.pathname + search + address.hash, { replace: true })
    },
  },
})

export const page = definePage({
  logic,
  View: ({ actor }: { actor: ActorRefFrom<typeof logic> }) => createElement(StreamsPage, { actor }),
})
