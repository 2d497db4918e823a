import { useSelector } from '@xstate/react'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { selectKeptRanges } from '../../machines/exports/export-draft.selectors.ts'
import type { MosaicExportRef } from '../../machines/exports/mosaic-export.machine.ts'
import { selectMarks, selectZone, type SyncPlaybackRef } from '../../machines/mosaics/sync-playback.selectors.ts'
import { ExportButton } from '../player/ExportButton.tsx'
import { LockButton } from '../player/LockButton.tsx'
import { SelectionFrame } from '../player/SelectionFrame.tsx'

interface MosaicSelectionProps {
  syncPlayback: SyncPlaybackRef
  /** Has the ranges that were added to the export before. */
  exporting: MosaicExportRef | null
  /** Undefined if the server has no exports. */
  onExport: ((range: TimeRange) => void) | undefined
  /** Undefined if the user may not lock recordings of any camera. */
  onLock: ((range: TimeRange) => void) | undefined
}

/** The in and out marks of a mosaic, and what can be done with the range between them. */
export function MosaicSelection({ syncPlayback, exporting, onExport, onLock }: MosaicSelectionProps) {
  const { from, to } = useSelector(syncPlayback, selectMarks)
  const zone = useSelector(syncPlayback, selectZone)
  const addedRanges = useSelector(exporting ?? undefined, selectKeptRanges)
  return (
    <SelectionFrame from={from} to={to} zone={zone} onClear={() => syncPlayback.send({ type: 'selection.cleared' })}>
      {from !== null && to !== null && (
        <>
          {onExport !== undefined && <ExportButton addedRanges={addedRanges} onPress={() => onExport({ from, to })} />}
          {onLock !== undefined && <LockButton onPress={() => onLock({ from, to })} />}
        </>
      )}
    </SelectionFrame>
  )
}
