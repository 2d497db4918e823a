import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useCallback, useMemo, useRef, type KeyboardEvent } from 'react'
import { addDays, firstDayOf, type Day } from '../../machines/calendar/calendar-grid.ts'
import { clockChangeDays } from '../../machines/calendar/day-lengths.ts'
import { stepOf } from '../../machines/calendar/calendar-keys.ts'
import {
  selectCanMoveBack,
  selectCanMoveForward,
  selectError,
  selectFirstMonth,
  selectIsMultiselectable,
  selectMode,
  selectMonthCount,
  type CalendarRef,
} from '../../machines/calendar/calendar.selectors.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { CalendarError } from './CalendarError.tsx'
import { type Marked, Month } from './Month.tsx'
import styles from './Calendar.module.css'

interface CalendarProps {
  actor: CalendarRef
  marked?: Marked | undefined
  /** The IANA name of the time zone; days of 23 or 25 hours in it are labelled. */
  zone?: string
  /** Whether the calendar takes the focus when it opens. */
  takesFocus?: boolean
}

const noDays: ReadonlyMap<Day, number> = new Map()

/** Months side by side, with the keys of the ARIA grid pattern (docs/behaviour.md §9). */
export function Calendar({ actor, marked, zone, takesFocus = false }: CalendarProps) {
  const { t } = useLingui()
  const error = useSelector(actor, selectError)
  const first = useSelector(actor, selectFirstMonth)
  const count = useSelector(actor, selectMonthCount)
  const canMoveBack = useSelector(actor, selectCanMoveBack)
  const canMoveForward = useSelector(actor, selectCanMoveForward)
  const isMultiselectable = useSelector(actor, selectIsMultiselectable)
  const isMulti = useSelector(actor, selectMode) === 'multi'
  const isFocusDue = useRef(takesFocus)
  const hoursByDay = useMemo(
    () =>
      zone === undefined || error !== null
        ? noDays
        : clockChangeDays(firstDayOf(first), addDays(firstDayOf(first + count), -1), zone),
    [zone, error, first, count],
  )

  const focusIfDue = useCallback((cell: HTMLElement) => {
    if (isFocusDue.current) cell.focus()
    isFocusDue.current = false
  }, [])

  function onKeyDown(event: KeyboardEvent, day: Day): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = stepOf(event.key, event.shiftKey)
    if (step !== undefined) {
      isFocusDue.current = true
      actor.send({ type: 'calendar.cursorMoved', step })
    } else if (event.key === 'Enter' || event.key === ' ') pick(day, event.shiftKey)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  /** With Shift in mode `multi`: all days from the one selected last. */
  const pick = (day: Day, isShift: boolean) =>
    actor.send({ type: isShift && isMulti ? 'calendar.rangePicked' : 'calendar.dayPicked', day })

  if (error !== null) return <CalendarError error={error} />
  return (
    <div className={styles.calendar}>
      <IconButton
        label={t`Previous month`}
        icon={<ChevronLeft size={16} />}
        disabled={!canMoveBack}
        onPress={() => actor.send({ type: 'calendar.monthsMoved', by: -1 })}
      />
      <div className={styles.months}>
        {Array.from({ length: count }, (_month, index) => (
          <Month
            key={first + index}
            actor={actor}
            month={first + index}
            isMultiselectable={isMultiselectable}
            marked={marked}
            hoursByDay={hoursByDay}
            onCursor={focusIfDue}
            onPick={pick}
            onKeyDown={onKeyDown}
          />
        ))}
      </div>
      <IconButton
        label={t`Next month`}
        icon={<ChevronRight size={16} />}
        disabled={!canMoveForward}
        onPress={() => actor.send({ type: 'calendar.monthsMoved', by: 1 })}
      />
    </div>
  )
}
