import { type ActorRefFrom, sendParent, setup } from 'xstate'
import type { Mosaic } from '../../api/contract/mosaic.ts'
import type { PageInput } from '../app/app.events.ts'
import { resourceMachineOf } from '../resource/resource.machine.ts'
import { previewsMachine } from '../streams/previews.machine.ts'

export interface MosaicRemoval {
  id: string
}

export const mosaicListMachine = resourceMachineOf<readonly Mosaic[], null, MosaicRemoval>({
  pollMs: null,
  queryOf: () => null,
  isSubject: true,
})

/** All mosaics: lists and deletes them, and fetches previews of those in sight. */
export const mosaicsMachine = setup({
  types: {
    context: {} as { list: ActorRefFrom<typeof mosaicListMachine>; previews: ActorRefFrom<typeof previewsMachine> },
    events: {} as { type: 'page.missing' },
    input: {} as PageInput,
  },
  actors: { list: mosaicListMachine, previews: previewsMachine },
  actions: {
    notifyMissing: sendParent({ type: 'page.missing' }),
  },
}).createMachine({
  id: 'mosaics',
  context: ({ spawn, input }) => ({
    list: spawn('list', { id: 'list', input }),
    previews: spawn('previews', { id: 'previews' }),
  }),
  on: {
    'page.missing': { actions: 'notifyMissing' },
  },
})
