import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import type { Day } from '../../machines/calendar/calendar-grid.ts'
import { lookOf, type CalendarRef } from '../../machines/calendar/calendar.selectors.ts'
import { formatNumber } from '../../i18n/formats.ts'
import { dayText } from './day-text.ts'
import styles from './DayCell.module.css'

export interface DayCellProps {
  actor: CalendarRef
  day: Day
  /** The length of the day; undefined if it has 24 hours. */
  hours: number | undefined
  /** The id of the text that says why the day is marked. */
  markedBy: string | undefined
  /** Called when the cursor of the keyboard comes to the cell. */
  onCursor: (cell: HTMLElement) => void
  onPick: (day: Day, isRange: boolean) => void
  onKeyDown: (event: KeyboardEvent, day: Day) => void
}

export function DayCell({ actor, day, hours, markedBy, onCursor, onPick, onKeyDown }: DayCellProps) {
  const { t, i18n } = useLingui()
  const length = hours === undefined ? '' : formatNumber(hours)
  const lengthWords = hours === undefined ? undefined : t`${length} hours long`
  const look = useSelector(actor, (snapshot) => {
    const { isSelected, isBetween, isDisabled, isToday } = lookOf(snapshot, day)
    return [
      isSelected && 'selected',
      isBetween && 'between',
      isDisabled && 'disabled',
      isToday && 'today',
      snapshot.context.cursor === day && 'cursor',
    ]
      .filter(Boolean)
      .join(' ')
  })
  const cell = useRef<HTMLDivElement>(null)
  const has = (name: string) => look.split(' ').includes(name)
  const isCursor = has('cursor')
  useEffect(() => {
    if (isCursor && cell.current !== null) onCursor(cell.current)
  }, [isCursor, onCursor])
  const name = dayText(day, i18n.locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  return (
    <div
      ref={cell}
      role="gridcell"
      data-day={day}
      data-look={look}
      data-marked={markedBy !== undefined || undefined}
      className={styles.day}
      tabIndex={isCursor ? 0 : -1}
      aria-label={lengthWords === undefined ? name : `${name}, ${lengthWords}`}
      title={lengthWords}
      aria-describedby={markedBy}
      aria-selected={has('selected')}
      aria-disabled={has('disabled')}
      aria-current={has('today') ? 'date' : undefined}
      onClick={(event) => onPick(day, event.shiftKey)}
      onKeyDown={(event) => onKeyDown(event, day)}
    >
      {Number(day.slice(8))}
      {hours !== undefined && (
        <span className={styles.hours} aria-hidden="true">
          {length}
        </span>
      )}
    </div>
  )
}
