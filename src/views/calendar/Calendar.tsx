import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, type KeyboardEvent } from 'react'
import type { ActorRefFrom } from 'xstate'
import { addDays, dayNumber, firstDayOf, weeksOf, type Day } from '../../machines/calendar/calendar-grid.ts'
import { unusualDays } from '../../machines/calendar/day-lengths.ts'
import type { PropertyError } from '../../machines/calendar/calendar-rules.ts'
import type { calendarMachine, CursorStep } from '../../machines/calendar/calendar.machine.ts'
import {
  lookOf,
  selectCanMoveBack,
  selectCanMoveOn,
  selectError,
  selectFirstMonth,
  selectIsMany,
  selectMonthCount,
} from '../../machines/calendar/calendar.selectors.ts'
import { formatNumber } from '../../i18n/formats.ts'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './Calendar.module.css'

export type CalendarRef = ActorRefFrom<typeof calendarMachine>

interface CalendarProps {
  actor: CalendarRef
  marked?: Marked | undefined
  /** The zone whose days these are, by its IANA name: days that aren't of 24 hours in it say so. */
  zone?: string
  /** Takes the focus as it appears, as a dialog's first thing. */
  isFocused?: boolean
}

/** Days that are marked, those with recordings for instance; `labelId` names the element that says what the mark means. */
interface Marked {
  readonly days: ReadonlySet<Day>
  readonly labelId: string
}

const steps: Readonly<Record<string, CursorStep>> = {
  ArrowLeft: 'previousDay',
  ArrowRight: 'nextDay',
  ArrowUp: 'previousWeek',
  ArrowDown: 'nextWeek',
  Home: 'weekStart',
  End: 'weekEnd',
  PageUp: 'previousMonth',
  PageDown: 'nextMonth',
}
const longSteps: Readonly<Record<string, CursorStep>> = { PageUp: 'previousYear', PageDown: 'nextYear' }

const none: ReadonlyMap<Day, number> = new Map()

const formats = new Map<string, Intl.DateTimeFormat>()

/** A day in words; it is read as UTC, in which it has no hours to lose. */
function written(day: Day, locale: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  formats.set(key, format)
  return format.format(dayNumber(day) * 86_400_000)
}

/** Months side by side to choose days from, by pointer and by the keys of the ARIA grid pattern (docs/behaviour.md §9). */
export function Calendar({ actor, marked, zone, isFocused = false }: CalendarProps) {
  const { t } = useLingui()
  const error = useSelector(actor, selectError)
  const first = useSelector(actor, selectFirstMonth)
  const count = useSelector(actor, selectMonthCount)
  const canMoveBack = useSelector(actor, selectCanMoveBack)
  const canMoveOn = useSelector(actor, selectCanMoveOn)
  const isMany = useSelector(actor, selectIsMany)
  const isMoved = useRef(isFocused)
  const lengths = useMemo(
    () =>
      zone === undefined || error !== null
        ? none
        : unusualDays(firstDayOf(first), addDays(firstDayOf(first + count), -1), zone),
    [zone, error, first, count],
  )

  /** Focus follows the cursor where a key has moved it. */
  const takeFocus = useCallback((cell: HTMLElement) => {
    if (isMoved.current) cell.focus()
    isMoved.current = false
  }, [])

  function onKeyDown(event: KeyboardEvent, day: Day): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const table = event.shiftKey && Object.hasOwn(longSteps, event.key) ? longSteps : steps
    const step = Object.hasOwn(table, event.key) ? table[event.key] : undefined
    if (step !== undefined) {
      isMoved.current = true
      actor.send({ type: 'calendar.cursorMoved', step })
    } else if (event.key === 'Enter' || event.key === ' ') pick(day, event.shiftKey)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const pick = (day: Day, isRange: boolean) =>
    actor.send({ type: isRange ? 'calendar.rangePicked' : 'calendar.dayPicked', day })

  if (error !== null) return <Mistake error={error} />
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
            isMany={isMany}
            marked={marked}
            lengths={lengths}
            onCursor={takeFocus}
            onPick={pick}
            onKeyDown={onKeyDown}
          />
        ))}
      </div>
      <IconButton
        label={t`Next month`}
        icon={<ChevronRight size={16} />}
        disabled={!canMoveOn}
        onPress={() => actor.send({ type: 'calendar.monthsMoved', by: 1 })}
      />
    </div>
  )
}

interface MonthProps {
  actor: CalendarRef
  month: number
  /** More than one day may be chosen. */
  isMany: boolean
  marked: Marked | undefined
  lengths: ReadonlyMap<Day, number>
  /** The cursor is on this cell. */
  onCursor: (cell: HTMLElement) => void
  onPick: (day: Day, isRange: boolean) => void
  onKeyDown: (event: KeyboardEvent, day: Day) => void
}

/** 2024-01-01 was a Monday. */
const weekdays = Array.from({ length: 7 }, (_day, index) => addDays('2024-01-01', index))

function Month({ actor, month, isMany, marked, lengths, onCursor, onPick, onKeyDown }: MonthProps) {
  const { i18n } = useLingui()
  const { locale } = i18n
  const title = written(firstDayOf(month), locale, { month: 'long', year: 'numeric' })
  return (
    <div className={styles.month}>
      <h3 className={styles.title}>{title}</h3>
      <div role="grid" aria-label={title} aria-multiselectable={isMany || undefined} className={styles.grid}>
        <div role="row" className={styles.week}>
          {weekdays.map((day) => (
            <span
              key={day}
              role="columnheader"
              aria-label={written(day, locale, { weekday: 'long' })}
              className={styles.weekday}
            >
              {written(day, locale, { weekday: 'short' })}
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
                  hours={lengths.get(day)}
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

interface DayCellProps {
  actor: CalendarRef
  day: Day
  /** How long the day is where it isn't of 24 hours. */
  hours: number | undefined
  /** The id of what says what the day's mark means; undefined where it has none. */
  markedBy: string | undefined
  onCursor: (cell: HTMLElement) => void
  onPick: (day: Day, isRange: boolean) => void
  onKeyDown: (event: KeyboardEvent, day: Day) => void
}

function DayCell({ actor, day, hours, markedBy, onCursor, onPick, onKeyDown }: DayCellProps) {
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
  const isCursor = look.endsWith('cursor')
  useEffect(() => {
    if (isCursor && cell.current !== null) onCursor(cell.current)
  }, [isCursor, onCursor])
  const has = (name: string) => look.split(' ').includes(name)
  const name = written(day, i18n.locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
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

function Mistake({ error }: { error: PropertyError }) {
  const { t } = useLingui()
  const texts: Readonly<Record<PropertyError, string>> = {
    notADay: t`A day isn't written as YYYY-MM-DD.`,
    minAfterMax: t`The earliest allowed day is after the latest.`,
    startAfterEnd: t`The period starts after it ends.`,
    outsideAllowed: t`A selected day is outside the allowed days.`,
    wrongMonths: t`The number of months is 3, 6, 9 or 12.`,
    wrongCount: t`Too many days are selected.`,
  }
  return (
    <p role="alert" className={styles.mistake}>
      <Trans>This calendar is set up wrongly.</Trans> {texts[error]}
    </p>
  )
}
