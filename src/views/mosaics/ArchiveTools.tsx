import { useLingui } from '@lingui/react/macro'
import { Link2, Radio, SquaresIntersect } from 'lucide-react'
import type { PlaybackClock } from '../../api/media/controller/media-controller.ts'
import type { TrackState } from '../../machines/mosaics/sync-playback.selectors.ts'
import type { TrackRef } from '../../machines/mosaics/track.machine.ts'
import { IconButton } from '../ui/IconButton.tsx'

export interface TileArchive {
  track: TrackRef
  isArchive: boolean
  onLeave: () => void
  onJoin: () => void
  onShare: (at: number) => void
}

export const isInArchive = (state: TrackState): boolean => ['recorded', 'gap', 'finding'].includes(state)

interface ArchiveToolsProps {
  name: string
  controller: PlaybackClock
  archive: TileArchive
  state: TrackState
}

export function ArchiveTools({ name, controller, archive, state }: ArchiveToolsProps) {
  const { t } = useLingui()
  const share = () => {
    const at = controller.positionAt()
    if (at !== null) archive.onShare(at)
  }
  return (
    <>
      {state === 'left' && (
        <IconButton
          label={t`Play ${name} with the others`}
          icon={<Link2 size={16} />}
          variant="overlay"
          placement="top"
          onPress={archive.onJoin}
        />
      )}
      {isInArchive(state) && (
        <IconButton
          label={t`Keep ${name} live`}
          icon={<Radio size={16} />}
          variant="overlay"
          placement="top"
          onPress={archive.onLeave}
        />
      )}
      {state !== 'gap' && (
        <IconButton
          label={t`Show this moment of ${name} on all`}
          icon={<SquaresIntersect size={16} />}
          variant="overlay"
          placement="top"
          onPress={share}
        />
      )}
    </>
  )
}
