import { Trans, useLingui } from '@lingui/react/macro'
import { useActorRef, useSelector } from '@xstate/react'
import { useEffect, useId, useMemo } from 'react'
import { calendarMachine } from '../../machines/calendar/calendar.machine.ts'
import { dayPeriod } from '../../machines/timeline/lookup.ts'
import { selectCoverage } from '../../machines/timeline/timeline.selectors.ts'
import type { TimelineRef } from '../timeline/Timeline.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Calendar } from './Calendar.tsx'
import styles from './Calendar.module.css'

interface ArchiveCalendarProps {
  timeline: TimelineRef
  /** The playing moment, whose day is marked as chosen; null for none. */
  playing: number | null
  onClose: () => void
}

const dayIn = (zone: string, at: number): string =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(zone).toPlainDate().toString()

/** Days of a stream's archive: choosing one picks, on the timeline, the start of what is recorded of it. */
export function ArchiveCalendar({ timeline, playing, onClose }: ArchiveCalendarProps) {
  const { t } = useLingui()
  const coverage = useSelector(timeline, selectCoverage)
  const { zone, live } = timeline.getSnapshot().context
  const today = dayIn(zone, live.now)
  const recorded = coverage?.recorded ?? null
  const min = recorded === null ? today : dayIn(zone, Math.min(recorded.from, live.now))
  const day = playing === null ? today : dayIn(zone, playing)
  const actor = useActorRef(calendarMachine, {
    input: { mode: 'single', today, min: day < min ? day : min, max: today, selected: day > today ? [] : [day] },
  })
  const days = coverage?.days
  const labelId = useId()
  const marked = useMemo(() => ({ days: new Set(days), labelId }), [days, labelId])

  useEffect(() => {
    const watch = actor.on('calendar.chosen', ({ selected: [chosen] }) => {
      if (chosen === undefined) return
      const at = Math.max(dayPeriod(chosen, zone).from, timeline.getSnapshot().context.coverage?.recorded?.from ?? 0)
      timeline.send({ type: 'timeline.centred', at })
      timeline.send({ type: 'timeline.pickRequested', at })
      onClose()
    })
    return () => watch.unsubscribe()
  }, [actor, timeline, zone, onClose])

  return (
    <Dialog title={t`Calendar`} size="large" onClose={onClose}>
      <Calendar actor={actor} marked={marked} isFocused />
      <p className={styles.legend}>
        <span className={styles.key} id={labelId}>
          <Trans>recorded</Trans>
        </span>
        <span>{zone.replaceAll('_', ' ')}</span>
      </p>
    </Dialog>
  )
}
