import { type ActorRefFrom, setup } from 'xstate'
import type { Mosaic } from '../../api/contract/mosaic.ts'
import type { PageInput } from '../app/app.events.ts'
import { resourceMachineOf } from '../resource/resource.machine.ts'
import { previewsMachine } from '../streams/previews.machine.ts'

export interface MosaicRemoval {
  id: string
}

export const mosaicListMachine = resourceMachineOf<readonly Mosaic[], null, MosaicRemoval>({ pollMs: null, queryOf: () => null })

/** All mosaics: the list, which one can take a mosaic out of, and the pictures of what is in sight of it. */
export const mosaicsMachine = setup({
  types: {
    context: {} as { list: ActorRefFrom<typeof mosaicListMachine>; previews: ActorRefFrom<typeof previewsMachine> },
    input: {} as PageInput,
  },
  actors: { list: mosaicListMachine, previews: previewsMachine },
}).createMachine({
  id: 'mosaics',
  context: ({ spawn, input }) => ({ list: spawn('list', { id: 'list', input }), previews: spawn('previews', { id: 'previews' }) }),
})
