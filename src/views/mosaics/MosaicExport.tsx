import { lazy, Suspense } from 'react'
import type { MosaicExportRef } from '../../machines/exports/mosaic-export.machine.ts'

const MosaicExportDialog = lazy(() => import('../exports/MosaicExportDialog.tsx'))

/** The dialog of an export; its messages are loaded with its machine (`openExport`). */
export function MosaicExport({ actor, zone }: { actor: MosaicExportRef; zone: string }) {
  return (
    <Suspense>
      <MosaicExportDialog actor={actor} zone={zone} />
    </Suspense>
  )
}
