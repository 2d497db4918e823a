import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { ChevronsLeft, ChevronsRight, LocateFixed, ZoomIn, ZoomOut } from 'lucide-react'
import type { TimelineEvent } from '../../machines/timeline/timeline.events.ts'
import { selectCanZoomIn, selectCanZoomOut } from '../../machines/timeline/timeline.selectors.ts'
import { IconButton } from '../ui/IconButton.tsx'
import type { TimelineRef } from './Timeline.tsx'
import styles from './Timeline.module.css'

interface TimelineToolsProps {
  actor: TimelineRef
  /** The playing moment, as for the timeline. */
  clock: () => number | null
}

/** The timeline's buttons (contract.md §4). */
export function TimelineTools({ actor, clock }: TimelineToolsProps) {
  const canZoomIn = useSelector(actor, selectCanZoomIn)
  const canZoomOut = useSelector(actor, selectCanZoomOut)
  return <PeriodTools canZoomIn={canZoomIn} canZoomOut={canZoomOut} clock={clock} now={() => actor.getSnapshot().context.live.now} send={actor.send} />
}

interface PeriodToolsProps {
  canZoomIn: boolean
  canZoomOut: boolean
  clock: () => number | null
  now: () => number
  send: (event: Extract<TimelineEvent, { type: 'timeline.movedEarlier' | 'timeline.movedLater' | 'timeline.centred' | 'timeline.zoomedIn' | 'timeline.zoomedOut' }>) => void
}

/** Buttons that move and zoom a period. Zooming keeps the playing moment in its place where it is shown. */
export function PeriodTools({ canZoomIn, canZoomOut, clock, now, send }: PeriodToolsProps) {
  const { t } = useLingui()
  return (
    <div className={styles.tools}>
      <IconButton label={t`Earlier`} icon={<ChevronsLeft size={16} />} placement="top" onPress={() => send({ type: 'timeline.movedEarlier' })} />
      <IconButton label={t`Later`} icon={<ChevronsRight size={16} />} placement="top" onPress={() => send({ type: 'timeline.movedLater' })} />
      <IconButton label={t`Centre`} icon={<LocateFixed size={16} />} placement="top" onPress={() => send({ type: 'timeline.centred', at: clock() ?? now() })} />
      <IconButton label={t`Zoom out`} icon={<ZoomOut size={16} />} shortcut="−" placement="top" disabled={!canZoomOut} onPress={() => send({ type: 'timeline.zoomedOut', at: clock() })} />
      <IconButton label={t`Zoom in`} icon={<ZoomIn size={16} />} shortcut="+" placement="top" disabled={!canZoomIn} onPress={() => send({ type: 'timeline.zoomedIn', at: clock() })} />
    </div>
  )
}
