import { fromPromise } from 'xstate'
import { readStored, writeStored } from '../../api/browser/storage.ts'
import { searchEvents } from '../../api/resources/events.ts'
import { getStreams } from '../../api/resources/streams.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { eventSearch } from '../../machines/events/event-filter.ts'
import { type Camera, camerasMachine, eventListMachine, eventsMachine } from '../../machines/events/events.machine.ts'
import { EventsPage } from '../../views/events/EventsPage.tsx'
import { createMomentPictures } from '../bookmarks/bookmark-draft.ts'
import { definePage } from '../page.ts'
import { knownOrFetch } from '../shared/known-or-fetch.ts'
import { writeAddress } from '../shared/page-address.ts'
import { visibility } from '../shared/visibility.ts'

/** Their filter, as the query of an address. */
const key = 'events'
const maxPages = 100
const query = { groupType: 'none', sortType: 'name', isOnlyAvailable: false, searchingValues: [] } as const

async function allCameras(signal: AbortSignal) {
  const cameras = new Map<string, Camera>()
  for (let page = 1; page <= maxPages; page += 1) {
    const reply = await getStreams(query, page, signal)
    if (!reply.ok) return reply
    const { items, pageSize, total } = reply.value
    for (const { uid, name } of items) cameras.set(uid, { uid, name })
    if (items.length === 0 || page * pageSize >= total) break
  }
  return { ok: true as const, value: [...cameras.values()], retryAfterSeconds: null }
}

export const page = definePage({
  logic: eventsMachine.provide({
    actors: {
      recall: knownOrFetch(() => {
        const stored = readStored('local', key)
        return typeof stored === 'string' ? stored : ''
      }),
      list: eventListMachine.provide({
        actors: { fetchResource: fromPromise(({ input, signal }) => searchEvents(input.query, signal)), visibility },
        actions: {
          keepQuery: ({ system }, { query: filter }) => {
            const search = eventSearch({ ...filter, page: 1 })
            writeStored('local', key, search === '' ? null : search)
            writeAddress(system, pathTo('events') + eventSearch(filter), { replace: true })
          },
        },
      }),
      cameras: camerasMachine.provide({
        actors: { fetchResource: fromPromise(({ signal }) => allCameras(signal)), visibility },
      }),
      previews: createMomentPictures(),
    },
    actions: {
      showFilter: ({ system }, { filter }) => {
        const search = eventSearch(filter)
        if (search !== '') writeAddress(system, pathTo('events') + search, { replace: true })
      },
    },
  }),
  View: EventsPage,
})
