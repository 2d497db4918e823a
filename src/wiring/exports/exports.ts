import { fromCallback, fromPromise } from 'xstate'
import { verifyExport } from '../../api/export-file/verify-export.ts'
import { mapReply } from '../../api/map-reply.ts'
import { exportUrl, getExports, removeExport } from '../../api/resources/exports.ts'
import { type ExportCheckEvent, exportCheckMachine } from '../../machines/exports/export-check.machine.ts'
import { exportListMachine, exportsMachine } from '../../machines/exports/exports.machine.ts'
import { ExportsPage } from '../../views/exports/ExportsPage.tsx'
import { definePage } from '../page.ts'
import { visibility } from '../shared/visibility.ts'
import { zoneShown } from '../shared/zone.ts'

const sourceOf = (file: Blob) => ({
  size: file.size,
  read: async (from: number, to: number) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
})

const check = fromCallback<ExportCheckEvent, { file: Blob }>(({ input: { file }, sendBack }) => {
  const controller = new AbortController()
  const { signal } = controller
  let last = 0
  const onProgress = (fraction: number) => {
    // A large file has thousands of steps.
    if (fraction - last < 0.01) return
    last = fraction
    sendBack({ type: 'check.progressed', fraction })
  }
  verifyExport(sourceOf(file), { signal, onProgress }).then(
    (result) => signal.aborted || sendBack({ type: 'check.finished', result }),
    () => signal.aborted || sendBack({ type: 'check.failed' }),
  )
  return () => controller.abort()
})

export const page = definePage({
  logic: exportsMachine.provide({
    actors: {
      list: exportListMachine.provide({
        actors: {
          fetchResource: fromPromise(async ({ input, signal }) =>
            mapReply(await getExports(signal), ({ items, publicKey }) => ({
              items: items.map((item) => ({ ...item, downloadUrl: exportUrl(item.id) })),
              publicKey,
              zone: zoneShown(input.query),
            })),
          ),
          perform: fromPromise(({ input: { command }, signal }) => removeExport(command.id, signal)),
          visibility,
        },
      }),
      check: exportCheckMachine.provide({ actors: { check } }),
    },
  }),
  View: ExportsPage,
})
