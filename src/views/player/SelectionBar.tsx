import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { Download, Link2, Repeat } from 'lucide-react'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { RangeFacts } from '../../machines/player/range-facts.ts'
import {
  selectBitrate,
  selectIsLooping,
  selectIsMeasuring,
  selectMarks,
  selectZone,
  type PlayerRef,
  type SelectionRef,
} from '../../machines/player/player.selectors.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { ExportButton } from './ExportButton.tsx'
import { LockButton } from './LockButton.tsx'
import { RecordedFacts } from './RecordedFacts.tsx'
import { SelectionFrame } from './SelectionFrame.tsx'

interface SelectionBarProps {
  player: PlayerRef
  selection: SelectionRef
  /** Undefined if the user may not download the archive. */
  onDownload: (() => void) | undefined
  /** Undefined if the user may not lock the range. */
  onLock: ((range: TimeRange) => void) | undefined
  /** Undefined if the user may not export the range. */
  onExport: ((range: TimeRange) => void) | undefined
  /** How many ranges were added to the export before. */
  addedRanges: number
  /** Undefined if the user may not share the range. */
  onShare: ((range: TimeRange) => void) | undefined
}

export function SelectionBar({
  player,
  selection,
  onDownload,
  onLock,
  onExport,
  addedRanges,
  onShare,
}: SelectionBarProps) {
  const { t } = useLingui()
  const { from, to, facts } = useSelector(selection, selectMarks)
  const isMeasuring = useSelector(selection, selectIsMeasuring)
  const isLooping = useSelector(player, selectIsLooping)
  const zone = useSelector(player, selectZone)
  const above = { placement: 'top' } as const
  return (
    <SelectionFrame
      from={from}
      to={to}
      zone={zone}
      facts={
        <>
          {isMeasuring && <Trans>Loading recordings…</Trans>}
          {facts !== null && <Recorded player={player} facts={facts} />}
        </>
      }
      onClear={() => selection.send({ type: 'selection.cleared' })}
    >
      {from !== null && to !== null && (
        <>
          <IconButton
            {...above}
            label={t`Loop`}
            shortcut="R"
            pressed={isLooping}
            icon={<Repeat size={16} />}
            onPress={() => player.send({ type: 'loop.toggled' })}
          />
          {onDownload !== undefined && (
            <IconButton {...above} label={t`Download selection`} icon={<Download size={16} />} onPress={onDownload} />
          )}
          {onExport !== undefined && <ExportButton addedRanges={addedRanges} onPress={() => onExport({ from, to })} />}
          {onShare !== undefined && (
            <IconButton {...above} label={t`Share`} icon={<Link2 size={16} />} onPress={() => onShare({ from, to })} />
          )}
          {onLock !== undefined && <LockButton onPress={() => onLock({ from, to })} />}
        </>
      )}
    </SelectionFrame>
  )
}

function Recorded({ player, facts }: { player: PlayerRef; facts: RangeFacts }) {
  const bitrate = useSelector(player, selectBitrate)
  return facts.recordedMs === 0 ? (
    <span>
      <Trans>no recordings</Trans>
    </span>
  ) : (
    <RecordedFacts facts={facts} bitrate={bitrate} />
  )
}
