import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { ChevronsLeft, ChevronsRight, LocateFixed, ZoomIn, ZoomOut } from 'lucide-react'
import { selectCanZoomIn, selectCanZoomOut } from '../../machines/timeline/timeline.selectors.ts'
import { IconButton } from '../ui/IconButton.tsx'
import type { TimelineRef } from './Timeline.tsx'
import styles from './Timeline.module.css'

interface TimelineToolsProps {
  actor: TimelineRef
  /** The playing moment, as for the timeline. */
  clock: () => number | null
}

/** The timeline's buttons (contract.md §4). Zooming keeps the playing moment in its place where it is shown. */
export function TimelineTools({ actor, clock }: TimelineToolsProps) {
  const { t } = useLingui()
  const canZoomIn = useSelector(actor, selectCanZoomIn)
  const canZoomOut = useSelector(actor, selectCanZoomOut)
  return (
    <div className={styles.tools}>
      <IconButton label={t`Earlier`} icon={<ChevronsLeft size={16} />} placement="top" onPress={() => actor.send({ type: 'timeline.movedEarlier' })} />
      <IconButton label={t`Later`} icon={<ChevronsRight size={16} />} placement="top" onPress={() => actor.send({ type: 'timeline.movedLater' })} />
      <IconButton
        label={t`Centre`}
        icon={<LocateFixed size={16} />}
        placement="top"
        onPress={() => actor.send({ type: 'timeline.centred', at: clock() ?? actor.getSnapshot().context.live.now })}
      />
      <IconButton
        label={t`Zoom out`}
        icon={<ZoomOut size={16} />}
        shortcut="−"
        placement="top"
        disabled={!canZoomOut}
        onPress={() => actor.send({ type: 'timeline.zoomedOut', at: clock() })}
      />
      <IconButton
        label={t`Zoom in`}
        icon={<ZoomIn size={16} />}
        shortcut="+"
        placement="top"
        disabled={!canZoomIn}
        onPress={() => actor.send({ type: 'timeline.zoomedIn', at: clock() })}
      />
    </div>
  )
}
