import type { MosaicExportRef } from '../../machines/exports/mosaic-export.machine.ts'
import type { MosaicLockRef } from '../../machines/locks/mosaic-lock.machine.ts'
import { deferred, useDeferred } from '../ui/deferred.ts'

const exportDialog = deferred(() => import('../exports/MosaicExportDialog.tsx'))
const lockDialog = deferred(() => import('../locks/MosaicLockDialog.tsx'))

interface MosaicDialogsProps {
  exporting: MosaicExportRef | null
  locking: MosaicLockRef | null
  zone: string
}

/** The dialogs of a mosaic's selection; their messages are loaded with their machines (`openExport`, `openLock`). */
export function MosaicDialogs({ exporting, locking, zone }: MosaicDialogsProps) {
  const exportParts = useDeferred(exportDialog, exporting !== null)
  const lockParts = useDeferred(lockDialog, locking !== null)
  return (
    <>
      {exporting !== null && exportParts !== null && <exportParts.MosaicExportDialog actor={exporting} zone={zone} />}
      {locking !== null && lockParts !== null && <lockParts.MosaicLockDialog actor={locking} zone={zone} />}
    </>
  )
}
