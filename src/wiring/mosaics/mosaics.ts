import { fromPromise } from 'xstate'
import { mapReply } from '../../api/map-reply.ts'
import { deleteMosaic, getMosaics } from '../../api/resources/mosaics.ts'
import { mosaicListMachine, mosaicsMachine } from '../../machines/mosaics/mosaics.machine.ts'
import { MosaicsPage } from '../../views/mosaics/MosaicsPage.tsx'
import { definePage } from '../page.ts'
import { createPreviews } from '../shared/previews.ts'
import { visibility } from '../shared/visibility.ts'

export const page = definePage({
  logic: mosaicsMachine.provide({
    actors: {
      list: mosaicListMachine.provide({
        actors: {
          fetchResource: fromPromise(async ({ signal }) => mapReply(await getMosaics(signal), ({ items }) => items)),
          perform: fromPromise(({ input: { command }, signal }) => deleteMosaic(command.id, signal)),
          visibility,
        },
      }),
      previews: createPreviews(),
    },
  }),
  View: MosaicsPage,
})
