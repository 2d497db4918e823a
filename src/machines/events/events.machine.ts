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
  /** From when it is known which filter was last used. */
  list: ActorRefFrom<typeof eventListMachine> | null
  cameras: ActorRefFrom<typeof camerasMachine> | null
  previews: ActorRefFrom<typeof previewsMachine> | null
}

/**
 * The events of all cameras: a page of results for the filter, the names of the cameras, and pictures. An address
 * without a filter restores the last one.
 */
export const eventsMachine = setup({
  types: { context: {} as Context, events: {} as { type: 'page.missing' }, input: {} as PageInput },
  actors: {
    recall: fromPromise<string>(notProvided),
    list: eventListMachine,
    cameras: camerasMachine,
    previews: previewsMachine,
  },
  guards: {
    isFiltered: ({ context }) => eventSearch(eventFilterOf(context.input.address.search)) !== '',
  },
  actions: {
    notifyMissing: sendParent({ type: 'page.missing' }),
    showFilter: (_args, _params: { filter: EventFilter }) => undefined,
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
  initial: 'recalling',
  states: {
    recalling: {
      always: { guard: 'isFiltered', target: 'shown', actions: 'open' },
      invoke: {
        id: 'recall',
        src: 'recall',
        onDone: {
          target: 'shown',
          actions: [
            { type: 'restoreSearch', params: ({ event }) => ({ search: event.output }) },
            { type: 'showFilter', params: ({ event }) => ({ filter: eventFilterOf(event.output) }) },
            'open',
          ],
        },
        onError: { target: 'shown', actions: 'open' },
      },
    },
    shown: { on: { 'page.missing': { actions: 'notifyMissing' } } },
  },
})
