import { fromPromise } from 'xstate'
import { maxExportItems } from '../../api/contract/exports.ts'
import type { Reply } from '../../api/reply.ts'
import { mosaicExportMachine, mosaicExportFormMachine } from '../../machines/exports/mosaic-export.machine.ts'
import type { Facts } from '../../machines/player/facts.ts'
import { measureRange } from '../player/measure.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { sendExport } from './export-draft.ts'

export const maxItems = maxExportItems

/** Cameras that are measured at a time. */
const batchSize = 3

export const mosaicExport = mosaicExportMachine.provide({
  actors: {
    form: mosaicExportFormMachine.provide({
      actors: { submit: fromPromise(({ input, signal }) => sendExport(input, signal)), watchLeaving },
    }),
    measureCameras: fromPromise(async ({ input: { uids, ...range }, signal }) => {
      const found: [uid: string, reply: Reply<Facts>][] = []
      for (let index = 0; index < uids.length; index += batchSize) {
        const batch = uids.slice(index, index + batchSize)
        const replies = await Promise.all(
          batch.map(async (uid) => [uid, await measureRange({ uid, ...range }, signal)] as const),
        )
        for (const [uid, reply] of replies) found.push([uid, reply])
      }
      return Object.fromEntries(found)
    }),
  },
})
