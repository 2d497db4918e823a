import { useLingui } from '@lingui/react/macro'
import { useActorRef } from '@xstate/react'
import { CalendarDays } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ComponentProps } from 'react'
import { isDay, type Day } from '../../machines/calendar/calendar-grid.ts'
import { calendarMachine } from '../../machines/calendar/calendar.machine.ts'
import { TextField } from '../ui/Field.tsx'
import { useDeferred } from '../ui/deferred.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { overlays } from '../ui/overlays.ts'
import { Calendar } from './Calendar.tsx'
import styles from './DatePicker.module.css'

type DatePickerProps = ComponentProps<typeof TextField> & {
  value: string
  today: Day
  min?: Day
}

/** A day, typed as `YYYY-MM-DD` (docs/behaviour.md §9) or selected in a calendar. */
export function DatePicker({ today, min, ...field }: DatePickerProps) {
  const { t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const id = useId()
  const parts = useDeferred(overlays, isOpen)
  const { value, error, onChange } = field
  const isUnreadable = value !== '' && !isDay(value)
  return (
    <div className={styles.frame}>
      <TextField
        placeholder="YYYY-MM-DD"
        autoComplete="off"
        spellCheck={false}
        {...field}
        error={isUnreadable && error !== undefined ? t`Enter the day like 2026-11-21` : error}
      />
      <IconButton
        ref={opener}
        label={t`Choose a day`}
        icon={<CalendarDays size={16} />}
        opens={{ id, isOpen }}
        onPress={() => setOpen(!isOpen)}
        className={styles.open ?? ''}
      />
      {parts !== null && (
        <parts.DialogPopover id={id} label={t`Choose a day`} triggerRef={opener} onClose={() => setOpen(false)}>
          <DayChoice
            value={value}
            today={today}
            min={min}
            onChoose={(day) => {
              onChange(day)
              setOpen(false)
            }}
          />
        </parts.DialogPopover>
      )}
    </div>
  )
}

function DayChoice({
  value,
  today,
  min,
  onChoose,
}: {
  value: string
  today: Day
  min: Day | undefined
  onChoose: (day: Day) => void
}) {
  const isAllowed = isDay(value) && (min === undefined || value >= min)
  const actor = useActorRef(calendarMachine, {
    input: { mode: 'single', today, selected: isAllowed ? [value] : [], ...(min === undefined ? {} : { min }) },
  })
  useEffect(() => {
    const subscription = actor.on('calendar.chosen', ({ selected: [day] }) => {
      if (day !== undefined) onChoose(day)
    })
    return () => subscription.unsubscribe()
  }, [actor, onChoose])
  return <Calendar actor={actor} takesFocus />
}
