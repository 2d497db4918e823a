import type { MosaicExportRef } from '../../machines/exports/mosaic-export.machine.ts'
import { deferred, useDeferred } from '../ui/deferred.ts'

const dialog = deferred(() => import('../exports/MosaicExportDialog.tsx'))

/** The dialog of an export; its messages are loaded with its machine (`openExport`). */
export function MosaicExport({ actor, zone }: { actor: MosaicExportRef; zone: string }) {
  const parts = useDeferred(dialog)
  return parts !== null && <parts.MosaicExportDialog actor={actor} zone={zone} />
}
