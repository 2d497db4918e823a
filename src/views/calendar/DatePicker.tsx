import { useLingui } from '@lingui/react/macro'
import { useActorRef } from '@xstate/react'
import { CalendarDays } from 'lucide-react'
import { useEffect, useState, type ComponentProps } from 'react'
import { Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { isDay, type Day } from '../../machines/calendar/calendar-grid.ts'
import { calendarMachine } from '../../machines/calendar/calendar.machine.ts'
import { TextField } from '../ui/Field.tsx'
import { IconButton } from '../ui/IconButton.tsx'
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
      <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
        <IconButton label={t`Choose a day`} icon={<CalendarDays size={16} />} className={styles.open ?? ''} />
        <Popover className={styles.popover ?? ''} placement="bottom end" offset={6}>
          <Dialog className={styles.dialog ?? ''} aria-label={t`Choose a day`}>
            <DayChoice
              value={value}
              today={today}
              min={min}
              onChoose={(day) => {
                onChange(day)
                setOpen(false)
              }}
            />
          </Dialog>
        </Popover>
      </DialogTrigger>
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
    const watch = actor.on('calendar.chosen', ({ selected: [day] }) => {
      if (day !== undefined) onChoose(day)
    })
    return () => watch.unsubscribe()
  }, [actor, onChoose])
  return <Calendar actor={actor} isFocused />
}
