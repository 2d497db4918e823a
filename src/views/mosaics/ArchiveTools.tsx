import { useLingui } from '@lingui/react/macro'
import { Link2, Radio, SquaresIntersect } from 'lucide-react'
import type { PlaybackClock } from '../../api/media/controller/media-controller.ts'
import type { TrackState } from '../../machines/mosaics/sync-playback.selectors.ts'
import type { TrackRef } from '../../machines/mosaics/track.machine.ts'
import { IconButton } from '../ui/IconButton.tsx'

/** What a tile does in the archive of its mosaic. */
export interface TileArchive {
  track: TrackRef
  /** False while all tiles are live. */
  isArchive: boolean
  /** Plays the tile live while the others play the archive. */
  onLeave: () => void
  /** Plays the tile with the others again. */
  onJoin: () => void
  onShowOnAll: (at: number) => void
}

/** Whether a tile follows the shared clock. */
export const isInArchive = (state: TrackState): boolean => ['recorded', 'gap', 'finding'].includes(state)

interface ArchiveToolsProps {
  name: string
  controller: PlaybackClock
  archive: TileArchive
  state: TrackState
}

export function ArchiveTools({ name, controller, archive, state }: ArchiveToolsProps) {
  const { t } = useLingui()
  const showOnAll = () => {
    const at = controller.positionAt()
    if (at !== null) archive.onShowOnAll(at)
  }
  return (
    <>
      {/* One element for both, so that it keeps the focus. */}
      {(state === 'left' || isInArchive(state)) && (
        <IconButton
          label={state === 'left' ? t`Play ${name} with the others` : t`Keep ${name} live`}
          icon={state === 'left' ? <Link2 size={16} /> : <Radio size={16} />}
          variant="overlay"
          placement="top"
          onPress={state === 'left' ? archive.onJoin : archive.onLeave}
        />
      )}
      {state !== 'gap' && (
        <IconButton
          label={t`Show this moment of ${name} on all cameras`}
          icon={<SquaresIntersect size={16} />}
          variant="overlay"
          placement="top"
          onPress={showOnAll}
        />
      )}
    </>
  )
}
