import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { CalendarDays, GalleryThumbnails, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { type LocksRef, selectCanLock } from '../../machines/locks/locks.selectors.ts'
import type { PlayerRef, SelectionRef } from '../../machines/player/player.selectors.ts'
import { selectAreThumbnailsOn, type ThumbnailsRef } from '../../machines/timeline/thumbnails.machine.ts'
import type { TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { TimelineTools } from '../timeline/TimelineTools.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { MarkTools } from './MarkTools.tsx'

interface PlayerToolsProps {
  player: PlayerRef
  timeline: TimelineRef
  selection: SelectionRef
  locks: LocksRef | null
  thumbnails: ThumbnailsRef | null
  clock: () => number | null
  isSelecting: boolean
  onSelecting: (isSelecting: boolean) => void
  /** The button of the motion search. */
  children?: ReactNode
}

/** The tools below the timeline. */
export function PlayerTools({
  player,
  timeline,
  selection,
  locks,
  thumbnails,
  clock,
  isSelecting,
  onSelecting,
  children,
}: PlayerToolsProps) {
  const { t } = useLingui()
  const canLock = useSelector(locks ?? undefined, selectCanLock)
  const hasThumbnails = useSelector(thumbnails ?? undefined, selectAreThumbnailsOn)
  const mark = (type: 'selection.inMarked' | 'selection.outMarked') => {
    const at = clock()
    if (at !== null) selection.send({ type, at })
  }
  return (
    <>
      <TimelineTools actor={timeline} clock={clock} />
      {thumbnails !== null && (
        <IconButton
          label={t`Thumbnails`}
          tooltip={t`Thumbnails, when zoomed in`}
          icon={<GalleryThumbnails size={16} />}
          placement="top"
          pressed={hasThumbnails}
          onPress={() => thumbnails.send({ type: 'thumbnails.toggled' })}
        />
      )}
      <IconButton
        label={t`Calendar`}
        icon={<CalendarDays size={16} />}
        placement="top"
        onPress={() => player.send({ type: 'panel.opened', panel: 'calendar', at: clock() })}
      />
      <MarkTools onMark={mark} isSelecting={isSelecting} onSelecting={onSelecting} />
      {children}
      {canLock && (
        <IconButton
          label={t`Locked recordings`}
          icon={<Lock size={16} />}
          placement="top"
          onPress={() => locks?.send({ type: 'list.requested' })}
        />
      )}
    </>
  )
}
