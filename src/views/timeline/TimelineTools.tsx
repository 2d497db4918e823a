import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { ChevronsLeft, ChevronsRight, LocateFixed, ZoomIn, ZoomOut } from 'lucide-react'
import { memo, useCallback } from 'react'
import type { TimelineEvent } from '../../machines/timeline/timeline.events.ts'
import { selectCanZoomIn, selectCanZoomOut, type TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './Timeline.module.css'

interface TimelineToolsProps {
  actor: TimelineRef
  clock: () => number | null
}

/** The timeline's buttons (docs/behaviour.md §16). */
export function TimelineTools({ actor, clock }: TimelineToolsProps) {
  const canZoomIn = useSelector(actor, selectCanZoomIn)
  const canZoomOut = useSelector(actor, selectCanZoomOut)
  const now = useCallback(() => actor.getSnapshot().context.live.now, [actor])
  return <PeriodTools canZoomIn={canZoomIn} canZoomOut={canZoomOut} clock={clock} now={now} send={actor.send} />
}

/** The same functions as long as the timeline is the same: the buttons don't render again. */
interface PeriodPort {
  clock: () => number | null
  now: () => number
  send: (
    event: Extract<
      TimelineEvent,
      {
        type:
          | 'timeline.movedEarlier'
          | 'timeline.movedLater'
          | 'timeline.centred'
          | 'timeline.zoomedIn'
          | 'timeline.zoomedOut'
      }
    >,
  ) => void
}

/** Buttons that move and zoom a period. Zooming keeps the playhead in position if it is visible. */
export function PeriodTools({
  canZoomIn,
  canZoomOut,
  ...port
}: PeriodPort & { canZoomIn: boolean; canZoomOut: boolean }) {
  return (
    <div className={styles.tools}>
      <MoveButtons {...port} />
      <ZoomButton {...port} direction="out" isPossible={canZoomOut} />
      <ZoomButton {...port} direction="in" isPossible={canZoomIn} />
    </div>
  )
}

const MoveButtons = memo(function MoveButtons({ clock, now, send }: PeriodPort) {
  const { t } = useLingui()
  return (
    <>
      <IconButton
        label={t`Earlier`}
        icon={<ChevronsLeft size={16} />}
        placement="top"
        onPress={() => send({ type: 'timeline.movedEarlier' })}
      />
      <IconButton
        label={t`Later`}
        icon={<ChevronsRight size={16} />}
        placement="top"
        onPress={() => send({ type: 'timeline.movedLater' })}
      />
      <IconButton
        label={t`Centre`}
        icon={<LocateFixed size={16} />}
        placement="top"
        onPress={() => send({ type: 'timeline.centred', at: clock() ?? now() })}
      />
    </>
  )
})

/** Its own component: zooming to a limit must not render the other buttons again. */
const ZoomButton = memo(function ZoomButton({
  clock,
  send,
  direction,
  isPossible,
}: PeriodPort & { direction: 'in' | 'out'; isPossible: boolean }) {
  const { t } = useLingui()
  const isIn = direction === 'in'
  return (
    <IconButton
      label={isIn ? t`Zoom in` : t`Zoom out`}
      icon={isIn ? <ZoomIn size={16} /> : <ZoomOut size={16} />}
      shortcut={isIn ? '+' : '−'}
      placement="top"
      disabled={!isPossible}
      onPress={() => send({ type: isIn ? 'timeline.zoomedIn' : 'timeline.zoomedOut', at: clock() })}
    />
  )
})
