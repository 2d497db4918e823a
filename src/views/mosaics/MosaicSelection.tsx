import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { FileArchive } from 'lucide-react'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { selectMarks, selectZone, type SyncPlaybackRef } from '../../machines/mosaics/sync-playback.selectors.ts'
import { SelectionFrame } from '../player/SelectionFrame.tsx'
import { IconButton } from '../ui/IconButton.tsx'

interface MosaicSelectionProps {
  syncPlayback: SyncPlaybackRef
  /** Undefined if the server has no exports. */
  onExport: ((range: TimeRange) => void) | undefined
}

/** The in and out marks of a mosaic, and what can be done with the range between them. */
export function MosaicSelection({ syncPlayback, onExport }: MosaicSelectionProps) {
  const { t } = useLingui()
  const { from, to } = useSelector(syncPlayback, selectMarks)
  const zone = useSelector(syncPlayback, selectZone)
  return (
    <SelectionFrame from={from} to={to} zone={zone} onClear={() => syncPlayback.send({ type: 'selection.cleared' })}>
      {onExport !== undefined && from !== null && to !== null && (
        <IconButton
          placement="top"
          label={t`Export`}
          icon={<FileArchive size={16} />}
          onPress={() => onExport({ from, to })}
        />
      )}
    </SelectionFrame>
  )
}
