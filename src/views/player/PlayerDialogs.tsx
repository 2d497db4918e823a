import { useSelector } from '@xstate/react'
import { useCallback } from 'react'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { type LocksRef, selectHasLockDialog } from '../../machines/locks/locks.selectors.ts'
import {
  type PlayerRef,
  selectBitrate,
  selectBookmark,
  selectCanDownload,
  selectClip,
  selectPanel,
  selectPanelAt,
  selectZone,
} from '../../machines/player/player.selectors.ts'
import type { TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { usePreload } from '../app/use-preload.ts'
import type { PeriodUse } from '../calendar/ChosenPeriod.tsx'
import { useDeferred } from '../ui/deferred.ts'
import { panels } from './panels.ts'

interface PlayerDialogsProps {
  player: PlayerRef
  timeline: TimelineRef
  locks: LocksRef | null
  onPick: (at: number) => void
  onPeriod: (period: TimeRange, use: PeriodUse) => void
}

/** The dialogs of the player: locks, calendar, bookmark, clip. Their code is loaded early, or when one opens. */
export function PlayerDialogs({ player, timeline, locks, onPick, onPeriod }: PlayerDialogsProps) {
  const zone = useSelector(player, selectZone)
  const panel = useSelector(player, selectPanel)
  const panelAt = useSelector(player, selectPanelAt)
  const canDownload = useSelector(player, selectCanDownload)
  const clip = useSelector(player, selectClip)
  const bitrate = useSelector(player, selectBitrate)
  const bookmark = useSelector(player, selectBookmark)
  const hasLockDialog = useSelector(locks ?? undefined, selectHasLockDialog)
  const parts = useDeferred(panels, panel !== 'closed' || hasLockDialog)
  usePreload(panels)
  const close = useCallback(() => player.send({ type: 'panel.closed' }), [player])
  if (parts === null) return null
  return (
    <>
      {locks !== null && <parts.LockDialogs locks={locks} zone={zone} onPick={onPick} />}
      {panel === 'calendar' && (
        <parts.ArchiveCalendar
          timeline={timeline}
          playing={panelAt}
          canDownload={canDownload}
          onMoment={onPick}
          onPeriod={onPeriod}
          onClose={close}
        />
      )}
      {panel === 'bookmark' && bookmark !== undefined && <parts.BookmarkDialog actor={bookmark} onClose={close} />}
      {panel === 'download' && clip !== undefined && (
        <parts.ClipDialog actor={clip} bitrate={bitrate} onClose={close} />
      )}
    </>
  )
}
