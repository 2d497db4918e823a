import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { ScanSearch } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { type MotionRef, selectFoundMotion } from '../../machines/motion/motion.selectors.ts'
import type { SelectionRef } from '../../machines/player/player.selectors.ts'
import { type TimelineListsRef, selectIsMotionListOpen } from '../../machines/timeline/timeline-lists.machine.ts'
import { selectZone, type TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import type { BandScene } from '../timeline/band.ts'
import type { MotionTab } from '../timeline/TimelineListsPanel.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { deferred, useDeferred } from '../ui/deferred.ts'

/** Their messages are loaded with the machine (`loadMotion`). */
const motionParts = deferred(() => import('../motion/motion-parts.ts'))

/** `actor` is null until the motion search is loaded. */
export interface MotionTool {
  actor: MotionRef | null
  load: () => void
}

interface Parts {
  /** The search area, shown on the picture. */
  area: ReactNode
  foundMotion: BandScene['foundMotion']
  tab: MotionTab | undefined
  button: ReactNode
}

/** The parts of the motion search in the player; its code is loaded when it is first opened. */
export function useMotionTool({
  motion,
  timeline,
  selection,
  lists,
  onPick,
}: {
  motion: MotionTool | null
  timeline: TimelineRef
  selection: SelectionRef
  lists: TimelineListsRef
  onPick: (at: number) => void
}): Parts {
  const { t } = useLingui()
  const actor = motion?.actor ?? null
  const foundMotion = useSelector(actor ?? undefined, selectFoundMotion)
  const zone = useSelector(timeline, selectZone)
  const parts = useDeferred(motionParts, actor !== null)
  const isOpen = useSelector(lists, selectIsMotionListOpen) && actor !== null
  if (motion === null) return { area: null, foundMotion, tab: undefined, button: null }
  const readTimes = () => {
    const { live, period } = timeline.getSnapshot().context
    return { now: live.now, visible: period }
  }
  const select = (range: TimeRange, at: number) => {
    selection.send({ type: 'selection.spanned', ...range })
    onPick(at)
  }
  const open = () => {
    motion.load()
    lists.send({ type: 'list.opened', list: 'motion' })
  }
  return {
    area: isOpen && parts !== null && <parts.AreaFrame actor={actor} />,
    foundMotion,
    tab: {
      panel: actor !== null && parts !== null && (
        <parts.MotionSearch actor={actor} zone={zone} readTimes={readTimes} onPick={onPick} onSelect={select} />
      ),
      onOpen: open,
    },
    button: (
      <IconButton
        label={t`Search motion`}
        icon={<ScanSearch size={16} />}
        placement="top"
        pressed={isOpen}
        onPress={() => (isOpen ? lists.send({ type: 'lists.closed' }) : open())}
      />
    ),
  }
}
