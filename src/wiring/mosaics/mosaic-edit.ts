import { fromPromise } from 'xstate'
import { mapReply } from '../../api/map-reply.ts'
import { createMosaic, getMosaic, saveMosaic } from '../../api/resources/mosaics.ts'
import { getStreams } from '../../api/resources/streams.ts'
import {
  mosaicEditMachine,
  mosaicFormMachine,
  streamChoiceMachine,
} from '../../machines/mosaics/mosaic-edit.machine.ts'
import { MosaicEditPage } from '../../views/mosaics/MosaicEditPage.tsx'
import { storeDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { definePage } from '../page.ts'
import { visibility } from '../shared/visibility.ts'

export const page = definePage({
  logic: mosaicEditMachine.provide({
    actors: {
      fetchMosaic: fromPromise(({ input, signal }) => getMosaic(input.id, { extendLease: false }, signal)),
      form: mosaicFormMachine.provide({
        actors: {
          submit: fromPromise(async ({ input: { values }, signal }) => {
            const body = {
              name: values.name.trim(),
              columns: values.columns,
              rows: values.rows,
              cells: [...values.cells],
            }
            if (values.id === '') return createMosaic(body, signal)
            return mapReply(await saveMosaic(values.id, body, signal), () => ({ id: values.id }))
          }),
          watchLeaving,
          storeDraft,
        },
      }),
      streamChoice: streamChoiceMachine.provide({
        actors: {
          fetchResource: fromPromise(async ({ input: { query }, signal }) => {
            const words = query.words.trim()
            const request = {
              groupType: 'none',
              sortType: 'name',
              isOnlyAvailable: false,
              searchingValues: words === '' ? [] : [words],
            } as const
            return mapReply(await getStreams(request, 1, signal), ({ items }) => items)
          }),
          visibility,
        },
      }),
    },
  }),
  View: MosaicEditPage,
})
