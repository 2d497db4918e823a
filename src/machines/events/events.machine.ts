import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { EventPage } from '../../api/contract/events.ts'
import type { ApiError } from '../../api/reply.ts'
import type { EventFilter } from '../../api/resources/events.ts'
import type { PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import { handlePageApiError, pageBroken } from '../notifications/page-error.ts'
import { resourceMachineOf } from '../resource/resource.machine.ts'
import { camerasMachine } from '../streams/cameras.machine.ts'
import { previewsMachine } from '../streams/previews.machine.ts'
import { eventFilterOf, eventSearch } from './event-filter.ts'

export const eventListMachine = resourceMachineOf<EventPage, EventFilter>({
  pollMs: 15_000,
  queryOf: ({ address }) => eventFilterOf(address.search),
  isSubject: true,
})

/** What this browser stores: the query of the last filter, '' if there is none, and the time zone to show. */
export interface EventPreferences {
  readonly search: string
  readonly zone: string
}

interface Context {
  input: PageInput
  /** The time zone that times are shown and typed in, an IANA name. */
  zone: string
  /** The preferences couldn't be read. */
  apiError: ApiError | null
  /** The machines are null until the preferences have been read. */
  list: ActorRefFrom<typeof eventListMachine> | null
  cameras: ActorRefFrom<typeof camerasMachine> | null
  previews: ActorRefFrom<typeof previewsMachine> | null
}

/**
 * The events page: the events of all cameras that match the filter, page by page, with the names of the cameras and
 * previews. An address without a filter restores the last filter of this browser.
 */
export const eventsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as { type: 'page.missing' } | { type: 'resource.retried' },
    input: {} as PageInput,
  },
  actors: {
    /** The input is the server's time zone, in which users may have times shown. */
    readPreferences: fromPromise<EventPreferences, string>(notProvided),
    list: eventListMachine,
    cameras: camerasMachine,
    previews: previewsMachine,
  },
  guards: {
    isFiltered: ({ context }) => eventSearch(eventFilterOf(context.input.address.search)) !== '',
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    notifyMissing: sendParent({ type: 'page.missing' }),
    /** Provided by the wiring: writes the filter into the address. */
    writeFilter: (_args, _params: { filter: EventFilter }) => undefined,
    assignZone: assign((_, { zone }: EventPreferences) => ({ zone })),
    restoreSearch: assign(({ context }, { search }: EventPreferences) => ({
      input: { ...context.input, address: { ...context.input.address, search } },
    })),
    open: assign(({ context: { input }, spawn }) => ({
      apiError: null,
      list: spawn('list', { id: 'list', input }),
      cameras: spawn('cameras', { id: 'cameras', input }),
      previews: spawn('previews', { id: 'previews' }),
    })),
  },
}).createMachine({
  id: 'events',
  context: ({ input }) => ({ input, zone: 'UTC', apiError: null, list: null, cameras: null, previews: null }),
  initial: 'readingPreferences',
  states: {
    readingPreferences: {
      invoke: {
        id: 'readPreferences',
        src: 'readPreferences',
        input: ({ context }) => context.input.settings.timezone,
        onDone: [
          {
            guard: 'isFiltered',
            target: 'shown',
            actions: [{ type: 'assignZone', params: ({ event }) => event.output }, 'open'],
          },
          {
            target: 'shown',
            actions: [
              { type: 'assignZone', params: ({ event }) => event.output },
              { type: 'restoreSearch', params: ({ event }) => event.output },
              { type: 'writeFilter', params: ({ event }) => ({ filter: eventFilterOf(event.output.search) }) },
              'open',
            ],
          },
        ],
        onError: pageBroken,
      },
    },
    failed: { tags: 'error', on: { 'resource.retried': 'readingPreferences' } },
    shown: { on: { 'page.missing': { actions: 'notifyMissing' } } },
  },
})
