import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { FileArchive, X } from 'lucide-react'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { selectMarks, selectZone, type SyncPlaybackRef } from '../../machines/mosaics/sync-playback.selectors.ts'
import styles from '../player/SelectionBar.module.css'
import { localTimeOf } from '../timeline/local-time.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useDuration } from '../ui/use-duration.ts'

interface MosaicSelectionProps {
  syncPlayback: SyncPlaybackRef
  /** Undefined if the server has no exports. */
  onExport: ((range: TimeRange) => void) | undefined
}

/** The in and out marks of a mosaic, and what can be done with the range between them. */
export function MosaicSelection({ syncPlayback, onExport }: MosaicSelectionProps) {
  const { t } = useLingui()
  const { from, to } = useSelector(syncPlayback, selectMarks)
  const time = localTimeOf(useSelector(syncPlayback, selectZone))
  const length = useDuration(((to ?? 0) - (from ?? 0)) / 1000)
  const words = (at: number | null) => (at === null ? '…' : time.hourMinuteSecond(at))
  const [start, end] = [words(from), words(to)]
  return (
    <section className={styles.bar} aria-label={t`Selection`}>
      <p className={styles.ends}>
        <Trans>
          Selection {start} – {end}
        </Trans>
      </p>
      <p className={styles.facts} role="status">
        {from === null && <Trans>Press I to mark the start</Trans>}
        {to === null && <Trans>Press O to mark the end</Trans>}
        {from !== null && to !== null && <span>{length}</span>}
      </p>
      <div className={styles.actions}>
        {onExport !== undefined && from !== null && to !== null && (
          <IconButton
            placement="top"
            label={t`Export`}
            icon={<FileArchive size={16} />}
            onPress={() => onExport({ from, to })}
          />
        )}
        <IconButton
          placement="top"
          label={t`Clear selection`}
          icon={<X size={16} />}
          onPress={() => syncPlayback.send({ type: 'selection.cleared' })}
        />
      </div>
    </section>
  )
}
