import type { TimeRange } from '../../api/contract/time-range.ts'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { Download, Play } from 'lucide-react'
import { addDays, type Day } from '../../machines/calendar/calendar-grid.ts'
import { selectSelected, type CalendarRef } from '../../machines/calendar/calendar.selectors.ts'
import { periodOfDays } from '../../machines/calendar/chosen-period.ts'
import { Button } from '../ui/Button.tsx'
import { useDuration } from '../ui/use-duration.ts'
import { calendarFormat, utcStart } from './day-text.ts'
import styles from './Calendar.module.css'

export type PeriodUse = 'play' | 'download'

interface ChosenPeriodProps {
  actor: CalendarRef
  zone: string
  now: number
  /** Null until it is known. */
  recorded: ReadonlySet<Day> | null
  canDownload: boolean
  onUse: (period: TimeRange, use: PeriodUse) => void
}

/** The selected days as a period, and what can be done with it if any of them is recorded. */
export function ChosenPeriod({ actor, zone, now, recorded, canDownload, onUse }: ChosenPeriodProps) {
  const { t, i18n } = useLingui()
  const [first, last] = useSelector(actor, selectSelected)
  const period = first === undefined || last === undefined ? null : periodOfDays(first, last, zone, now)
  const length = useDuration(period === null ? 0 : (period.to - period.from) / 1000)
  const dates = calendarFormat({ weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' }, i18n.locale)
  const count = period?.days ?? 0
  const isRecorded =
    first !== undefined &&
    (recorded === null ||
      Array.from({ length: count }, (_day, index) => addDays(first, index)).some((day) => recorded.has(day)))
  const choose = (use: PeriodUse) => {
    if (period !== null) onUse({ from: period.from, to: period.to }, use)
  }
  return (
    <div className={styles.period}>
      <p role="status" className={styles.chosen}>
        {first === undefined && <Trans>Select the first day.</Trans>}
        {first !== undefined && last === undefined && (
          <Trans>From {dates.format(utcStart(first))}: select the last day, or the same day again.</Trans>
        )}
        {first !== undefined && last !== undefined && (
          <>
            {dates.formatRange(utcStart(first), utcStart(last))}{' '}
            <span>
              <Plural value={count} one="# day" other="# days" />, {length}
              {!isRecorded && <>, {t`no recordings`}</>}
            </span>
          </>
        )}
      </p>
      <div className={styles.uses}>
        {canDownload && (
          <Button
            icon={<Download size={16} aria-hidden="true" />}
            disabled={!isRecorded || period === null}
            onClick={() => choose('download')}
          >{t`Download`}</Button>
        )}
        <Button
          variant="primary"
          icon={<Play size={16} aria-hidden="true" />}
          disabled={!isRecorded || period === null}
          onClick={() => choose('play')}
        >{t`Play`}</Button>
      </div>
    </div>
  )
}
