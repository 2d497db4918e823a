import { useLingui } from '@lingui/react/macro'
import { addDays, firstDayOf, weeksOf, type Day } from '../../machines/calendar/calendar-grid.ts'
import { DayCell, type DayCellProps } from './DayCell.tsx'
import { dayText } from './day-text.ts'
import styles from './Calendar.module.css'

/** Days with a mark; `labelId` is the id of the element that explains the mark. */
export interface Marked {
  readonly days: ReadonlySet<Day>
  readonly labelId: string
}

interface MonthProps extends Pick<DayCellProps, 'actor' | 'onCursor' | 'onPick' | 'onKeyDown'> {
  month: number
  isMultiselectable: boolean
  marked: Marked | undefined
  /** The days of the month that don't have 24 hours, with their hours. */
  hoursByDay: ReadonlyMap<Day, number>
}

/** The days of any week, from its Monday. */
const weekdays = Array.from({ length: 7 }, (_day, index) => addDays('2024-01-01', index))

export function Month({
  actor,
  month,
  isMultiselectable,
  marked,
  hoursByDay,
  onCursor,
  onPick,
  onKeyDown,
}: MonthProps) {
  const { i18n } = useLingui()
  const { locale } = i18n
  const title = dayText(firstDayOf(month), locale, { month: 'long', year: 'numeric' })
  return (
    <div className={styles.month}>
      <h3 className={styles.title}>{title}</h3>
      <div role="grid" aria-label={title} aria-multiselectable={isMultiselectable || undefined} className={styles.grid}>
        <div role="row" className={styles.week}>
          {weekdays.map((day) => (
            <span
              key={day}
              role="columnheader"
              aria-label={dayText(day, locale, { weekday: 'long' })}
              className={styles.weekday}
            >
              {dayText(day, locale, { weekday: 'short' })}
            </span>
          ))}
        </div>
        {weeksOf(month).map((week) => (
          <div key={week.find((day) => day !== null)} role="row" className={styles.week}>
            {week.map((day, column) =>
              day === null ? (
                <span key={weekdays[column]} aria-hidden="true" />
              ) : (
                <DayCell
                  key={day}
                  actor={actor}
                  day={day}
                  hours={hoursByDay.get(day)}
                  markedBy={marked?.days.has(day) ? marked.labelId : undefined}
                  onCursor={onCursor}
                  onPick={onPick}
                  onKeyDown={onKeyDown}
                />
              ),
            )}
          </div>
        ))}
      </div>
    </div>
  )
}
