import { fromPromise } from 'xstate'
import { maxExportItems } from '../../api/contract/exports.ts'
import type { Reply } from '../../api/reply.ts'
import type { SplitFacts } from '../../machines/exports/export-form.ts'
import { mosaicExportMachine } from '../../machines/exports/mosaic-export.machine.ts'
import { exportForm, measureParts } from './export-draft.ts'

export const maxItems = maxExportItems

/** Cameras that are measured at a time. */
const batchSize = 3

export const mosaicExport = mosaicExportMachine.provide({
  actors: {
    form: exportForm,
    measureCameras: fromPromise(async ({ input: { uids, range, limits }, signal }) => {
      const found: [uid: string, reply: Reply<SplitFacts>][] = []
      for (let index = 0; index < uids.length; index += batchSize) {
        const batch = uids.slice(index, index + batchSize)
        const replies = await Promise.all(
          batch.map(async (uid) => [uid, await measureParts({ uid, range, limits }, signal)] as const),
        )
        for (const [uid, reply] of replies) found.push([uid, reply])
      }
      return Object.fromEntries(found)
    }),
  },
})
