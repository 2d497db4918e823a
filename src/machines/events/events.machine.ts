import { type ActorRefFrom, assign, fromPromise, sendParent, setup } from 'xstate'
import type { EventPage } from '../../api/contract/events.ts'
import type { EventFilter } from '../../api/resources/events.ts'
import type { PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import { resourceMachineOf } from '../resource/resource.machine.ts'
import { camerasMachine } from '../streams/cameras.machine.ts'
import { previewsMachine } from '../streams/previews.machine.ts'
import { eventFilterOf, eventSearch } from './event-filter.ts'

export const eventListMachine = resourceMachineOf<EventPage, EventFilter>({
  pollMs: 15_000,
  queryOf: ({ address }) => eventFilterOf(address.search),
})

interface Context {
  input: PageInput
  /** The machines are null until the last filter has been read. */
  list: ActorRefFrom<typeof eventListMachine> | null
  cameras: ActorRefFrom<typeof camerasMachine> | null
  previews: ActorRefFrom<typeof previewsMachine> | null
}

/**
 * The events page: the events of all cameras that match the filter, page by page, with the names of the cameras and
 * previews. An address without a filter restores the last filter of this browser.
 */
export const eventsMachine = setup({
  types: { context: {} as Context, events: {} as { type: 'page.missing' }, input: {} as PageInput },
  actors: {
    /** The query of the last filter; '' if there is none. */
    readLastFilter: fromPromise<string>(notProvided),
    list: eventListMachine,
    cameras: camerasMachine,
    previews: previewsMachine,
  },
  guards: {
    isFiltered: ({ context }) => eventSearch(eventFilterOf(context.input.address.search)) !== '',
  },
  actions: {
    notifyMissing: sendParent({ type: 'page.missing' }),
    /** Provided by the wiring: writes the filter into the address. */
    writeFilter: (_args, _params: { filter: EventFilter }) => undefined,
    restoreSearch: assign(({ context }, { search }: { search: string }) => ({
      input: { ...context.input, address: { ...context.input.address, search } },
    })),
    open: assign(({ context: { input }, spawn }) => ({
      list: spawn('list', { id: 'list', input }),
      cameras: spawn('cameras', { id: 'cameras', input }),
      previews: spawn('previews', { id: 'previews' }),
    })),
  },
}).createMachine({
  id: 'events',
  context: ({ input }) => ({ input, list: null, cameras: null, previews: null }),
  initial: 'readingLastFilter',
  states: {
    readingLastFilter: {
      always: { guard: 'isFiltered', target: 'shown', actions: 'open' },
      invoke: {
        id: 'readLastFilter',
        src: 'readLastFilter',
        onDone: {
          target: 'shown',
          actions: [
            { type: 'restoreSearch', params: ({ event }) => ({ search: event.output }) },
            { type: 'writeFilter', params: ({ event }) => ({ filter: eventFilterOf(event.output) }) },
            'open',
          ],
        },
        onError: { target: 'shown', actions: 'open' },
      },
    },
    shown: { on: { 'page.missing': { actions: 'notifyMissing' } } },
  },
})
