import type { TimeRange } from '../../api/contract/time-range.ts'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { Download, Play } from 'lucide-react'
import { addDays, dayNumber, type Day } from '../../machines/calendar/calendar-grid.ts'
import { selectSelected, type CalendarRef } from '../../machines/calendar/calendar.selectors.ts'
import { periodOfDays } from '../../machines/calendar/chosen-period.ts'
import { Button } from '../ui/Button.tsx'
import { useDuration } from '../ui/use-duration.ts'
import styles from './Calendar.module.css'

export type PeriodUse = 'play' | 'download'

interface ChosenPeriodProps {
  actor: CalendarRef
  zone: string
  now: number
  recorded: ReadonlySet<Day>
  onUse: (period: TimeRange, use: PeriodUse) => void
}

const utc = (day: Day) => dayNumber(day) * 86_400_000

export function ChosenPeriod({ actor, zone, now, recorded, onUse }: ChosenPeriodProps) {
  const { t, i18n } = useLingui()
  const [first, last] = useSelector(actor, selectSelected)
  const whole = first === undefined || last === undefined ? null : periodOfDays(first, last, zone, now)
  const length = useDuration(whole === null ? 0 : (whole.to - whole.from) / 1000)
  const words = new Intl.DateTimeFormat(i18n.locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const count = whole?.days ?? 0
  const isRecorded =
    first !== undefined &&
    Array.from({ length: count }, (_day, index) => addDays(first, index)).some((day) => recorded.has(day))
  const use = (what: PeriodUse) => {
    if (whole !== null) onUse({ from: whole.from, to: whole.to }, what)
  }
  return (
    <div className={styles.period}>
      <p role="status" className={styles.chosen}>
        {first === undefined && <Trans>Select the first day.</Trans>}
        {first !== undefined && last === undefined && (
          <Trans>From {words.format(utc(first))}: select the last day, or the same day again.</Trans>
        )}
        {first !== undefined && last !== undefined && (
          <>
            {words.formatRange(utc(first), utc(last))}{' '}
            <span>
              <Plural value={count} one="# day" other="# days" />, {length}
              {!isRecorded && <>, {t`no recordings`}</>}
            </span>
          </>
        )}
      </p>
      <div className={styles.uses}>
        <Button
          icon={<Download size={16} aria-hidden="true" />}
          disabled={!isRecorded || whole === null}
          onClick={() => use('download')}
        >{t`Download`}</Button>
        <Button
          variant="primary"
          icon={<Play size={16} aria-hidden="true" />}
          disabled={!isRecorded || whole === null}
          onClick={() => use('play')}
        >{t`Play`}</Button>
      </div>
    </div>
  )
}
