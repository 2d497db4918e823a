import { fromPromise } from 'xstate'
import { readStored, writeStored } from '../../api/browser/storage.ts'
import { getPreviewAt } from '../../api/resources/archive.ts'
import { getEventSnapshot, searchEvents } from '../../api/resources/events.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { eventSearch } from '../../machines/events/event-filter.ts'
import { eventPictureOf } from '../../machines/events/event-picture.ts'
import { eventListMachine, type EventPreferences, eventsMachine } from '../../machines/events/events.machine.ts'
import { camerasMachine } from '../../machines/streams/cameras.machine.ts'
import { ensureTemporal } from '../../machines/temporal.ts'
import { EventsPage } from '../../views/events/EventsPage.tsx'
import { definePage } from '../page.ts'
import { allCameras } from '../shared/all-cameras.ts'
import { knownOrFetch } from '../shared/known-or-fetch.ts'
import { writeAddress } from '../shared/page-address.ts'
import { createPreviews } from '../shared/previews.ts'
import { visibility } from '../shared/visibility.ts'
import { zoneShown } from '../shared/zone.ts'

/** Storage key of the last filter, stored as the query of the address. */
const key = 'events'

const readPreferences = (serverZone: string): EventPreferences => {
  const stored = readStored('local', key)
  return { search: typeof stored === 'string' ? stored : '', zone: zoneShown(serverZone) }
}

/** A snapshot may be gone since the search: the server keeps the newest ones alone. */
const fetchPicture = async (key: string, signal: AbortSignal) => {
  const { streamId, at, snapshotOf } = eventPictureOf(key)
  const snapshot = snapshotOf === null ? null : await getEventSnapshot(streamId, snapshotOf, signal)
  const isGone = snapshot?.ok === false && snapshot.apiError.status === 404
  return snapshot === null || isGone ? getPreviewAt(streamId, at, signal) : snapshot
}

export const page = definePage({
  logic: eventsMachine.provide({
    actors: {
      readPreferences: knownOrFetch(
        (serverZone) => ('Temporal' in globalThis ? readPreferences(serverZone) : undefined),
        async (serverZone) => {
          await ensureTemporal()
          return readPreferences(serverZone)
        },
      ),
      list: eventListMachine.provide({
        actors: { fetchResource: fromPromise(({ input, signal }) => searchEvents(input.query, signal)), visibility },
        actions: {
          writeQuery: ({ system }, { query: filter }) => {
            const search = eventSearch({ ...filter, page: 1 })
            writeStored('local', key, search === '' ? null : search)
            writeAddress(system, pathTo('events') + eventSearch(filter), { replace: true })
          },
        },
      }),
      cameras: camerasMachine.provide({
        actors: { fetchResource: fromPromise(({ signal }) => allCameras(signal)), visibility },
      }),
      previews: createPreviews(fetchPicture),
    },
    actions: {
      writeFilter: ({ system }, { filter }) => {
        const search = eventSearch(filter)
        if (search !== '') writeAddress(system, pathTo('events') + search, { replace: true })
      },
    },
  }),
  View: EventsPage,
})
