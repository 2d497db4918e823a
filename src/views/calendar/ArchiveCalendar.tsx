import type { TimeRange } from '../../api/contract/time-range.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { useActorRef, useSelector } from '@xstate/react'
import { useEffect, useId, useMemo } from 'react'
import type { CalendarProperties } from '../../machines/calendar/calendar-rules.ts'
import { calendarMachine } from '../../machines/calendar/calendar.machine.ts'
import { selectMode } from '../../machines/calendar/calendar.selectors.ts'
import { dayPeriod } from '../../machines/timeline/lookup.ts'
import { selectCoverage, type TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { zoneText } from '../timeline/zone-text.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Segments } from '../ui/Segments.tsx'
import { Calendar } from './Calendar.tsx'
import { ChosenPeriod, type PeriodUse } from './ChosenPeriod.tsx'
import { GoTo } from './GoTo.tsx'
import styles from './Calendar.module.css'

interface ArchiveCalendarProps {
  timeline: TimelineRef
  /** The playing moment, whose day is selected when the calendar opens; null if nothing plays. */
  playing: number | null
  /** Seeks to a typed moment or to the start of a day: on the first recorded day, to the start of the archive. */
  onMoment: (at: number) => void
  /** Whether a period can be downloaded. */
  canDownload: boolean
  onPeriod: (period: TimeRange, use: PeriodUse) => void
  onClose: () => void
}

const dayIn = (zone: string, at: number): string =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(zone).toPlainDate().toString()

/** Leads to a recorded day or a typed moment, or selects a period to play or to download. */
export function ArchiveCalendar({ timeline, playing, canDownload, onMoment, onPeriod, onClose }: ArchiveCalendarProps) {
  const { t } = useLingui()
  const coverage = useSelector(timeline, selectCoverage)
  const { zone, live } = timeline.getSnapshot().context
  const today = dayIn(zone, live.now)
  const recorded = coverage?.recorded ?? null
  const days = coverage?.days
  const day = playing === null ? today : dayIn(zone, playing)
  const first = recorded === null ? today : dayIn(zone, Math.min(recorded.from, live.now))
  const min = [first, day, ...(days ?? [])].reduce((earliest, one) => (one < earliest ? one : earliest), today)
  const propertiesOf = (mode: 'single' | 'period'): CalendarProperties => ({
    mode,
    today,
    min,
    max: today,
    selected: mode === 'period' || day > today ? [] : [day],
  })
  const actor = useActorRef(calendarMachine, { input: propertiesOf('single') })
  const mode = useSelector(actor, selectMode)
  const labelId = useId()
  const marked = useMemo(() => ({ days: new Set(days), labelId }), [days, labelId])

  /** The archive's first day may become known only after the calendar was opened. */
  useEffect(() => {
    const { properties, selected } = actor.getSnapshot().context
    if (properties.min !== undefined && min < properties.min)
      actor.send({ type: 'calendar.configured', properties: { ...properties, min, selected } })
  }, [actor, min])

  useEffect(() => {
    const subscription = actor.on('calendar.chosen', ({ selected: [chosen] }) => {
      if (chosen === undefined || selectMode(actor.getSnapshot()) !== 'single') return
      const { from, to } = dayPeriod(chosen, zone)
      const start = timeline.getSnapshot().context.coverage?.recorded?.from ?? from
      onMoment(from < start && start < to ? start : from)
      onClose()
    })
    return () => subscription.unsubscribe()
  }, [actor, timeline, zone, onMoment, onClose])

  return (
    <Dialog title={t`Calendar`} size="large" onClose={onClose}>
      <div className={styles.ways}>
        <Segments
          label={t`Select`}
          options={[
            { id: 'single', label: t`Day` },
            { id: 'period', label: t`Period` },
          ]}
          chosen={mode === 'period' ? 'period' : 'single'}
          onChoose={(nextMode) => actor.send({ type: 'calendar.configured', properties: propertiesOf(nextMode) })}
        />
        <GoTo
          at={playing ?? live.now}
          zone={zone}
          readNow={() => timeline.getSnapshot().context.live.now}
          onGo={(at) => {
            onMoment(at)
            onClose()
          }}
        />
      </div>
      <Calendar actor={actor} marked={marked} zone={zone} takesFocus />
      {mode === 'period' && (
        <ChosenPeriod
          actor={actor}
          zone={zone}
          now={live.now}
          recorded={days == null ? null : marked.days}
          canDownload={canDownload}
          onUse={(period, use) => {
            onClose()
            onPeriod(period, use)
          }}
        />
      )}
      <p className={styles.legend}>
        <span className={styles.key} id={labelId}>
          <Trans>recorded</Trans>
        </span>
        <span>{zoneText(zone)}</span>
      </p>
    </Dialog>
  )
}
