import { type ActorRefFrom, fromCallback, sendParent, sendTo, setup } from 'xstate'
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

/** All mosaics: lists and deletes them, and fetches previews of those in sight while the page is visible. */
export const mosaicsMachine = setup({
  types: {
    context: {} as { list: ActorRefFrom<typeof mosaicListMachine>; previews: ActorRefFrom<typeof previewsMachine> },
    events: {} as { type: 'page.hidden' } | { type: 'page.shown' } | { type: 'page.missing' },
    input: {} as PageInput,
  },
  actors: { list: mosaicListMachine, previews: previewsMachine, visibility: fromCallback(() => undefined) },
  actions: {
    passOn: sendTo(
      ({ context }) => context.previews,
      (_args, { isHidden }: { isHidden: boolean }) => ({
        type: isHidden ? ('page.hidden' as const) : ('page.shown' as const),
      }),
    ),
    tellMissing: sendParent({ type: 'page.missing' }),
  },
}).createMachine({
  id: 'mosaics',
  context: ({ spawn, input }) => ({
    list: spawn('list', { id: 'list', input }),
    previews: spawn('previews', { id: 'previews' }),
  }),
  invoke: { id: 'visibility', src: 'visibility' },
  on: {
    'page.hidden': { actions: { type: 'passOn', params: { isHidden: true } } },
    'page.shown': { actions: { type: 'passOn', params: { isHidden: false } } },
    'page.missing': { actions: 'tellMissing' },
  },
})
