import { useMemo } from 'react'
import { useLingui } from '@lingui/react/macro'
import { dateFormat, formatDay, formatNumber } from '../../i18n/formats.ts'
import { type DayCell, dayIn, coverageWeeks } from '../../machines/stream-pages/coverage-days.ts'
import type { Calendar } from '../../machines/stream-pages/info.machine.ts'
import styles from './CoverageMap.module.css'

const noon = (day: string) => Date.parse(`${day}T12:00:00Z`)

export const isoDayText = (day: string): string => formatDay(noon(day), 'UTC')

export function CoverageMap({ days, calendar: { now, zone } }: { days: readonly string[]; calendar: Calendar }) {
  const { t } = useLingui()
  const today = dayIn(zone, now)
  const weeks = useMemo(() => coverageWeeks(days, today, { min: 26, max: 53 }), [days, today])
  const cells = weeks.flat().filter(({ isFuture }) => !isFuture)
  const recorded = formatNumber(cells.filter(({ isRecorded }) => isRecorded).length)
  const all = formatNumber(cells.length)
  return (
    <figure className={styles.map}>
      <div className={styles.weeks} role="img" aria-label={t`Recorded on ${recorded} of the last ${all} days`}>
        {weeks.map((week, index) => (
          <Week key={week[0]?.day} week={week} month={monthOver(weeks, index)} />
        ))}
      </div>
      <figcaption className={styles.legend}>
        <span>
          <i data-recorded="" />
          {t`Recorded`}
        </span>
        <span>
          <i />
          {t`No recording`}
        </span>
        <span className={styles.sum}>{t`${recorded} of the last ${all} days`}</span>
      </figcaption>
    </figure>
  )
}

function Week({ week, month }: { week: readonly DayCell[]; month: string }) {
  return (
    <div className={styles.week}>
      <span className={styles.month}>{month}</span>
      {week.map(({ day, isRecorded, isFuture }) => (
        <i
          key={day}
          data-recorded={isRecorded ? '' : undefined}
          data-future={isFuture ? '' : undefined}
          title={isFuture ? undefined : isoDayText(day)}
        />
      ))}
    </div>
  )
}

/** The month's name over the week in which it begins; over the first week too, if no month begins in the next two. */
function monthOver(weeks: readonly (readonly DayCell[])[], index: number): string {
  const begins = (week: readonly DayCell[] | undefined) => week?.find(({ day }) => day.endsWith('-01'))
  const first =
    begins(weeks[index]) ?? (index === 0 && !begins(weeks[1]) && !begins(weeks[2]) ? weeks[0]?.[0] : undefined)
  return first === undefined ? '' : dateFormat({ month: 'short', timeZone: 'UTC' }).format(noon(first.day))
}
