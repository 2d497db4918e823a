import { I18nProvider } from '@lingui/react'
import { useEffect, useState } from 'react'
import { createActor } from 'xstate'
import { i18n } from '../../i18n/i18n.ts'
import { calendarMachine, type CalendarReport } from '../../machines/calendar/calendar.machine.ts'
import type { CalendarProperties } from '../../machines/calendar/calendar-rules.ts'
import { Calendar } from '../calendar/Calendar.tsx'
import { reportEdges } from './report-edges.ts'

interface CalendarPlaygroundProps {
  properties: CalendarProperties
}

/** The calendar alone, for e2e/walk: the form gives it other properties, the output shows what it reports. */
export function CalendarPlayground({ properties }: CalendarPlaygroundProps) {
  const [actor] = useState(() => createActor(calendarMachine, { input: properties, inspect: reportEdges }))
  const [text, setText] = useState(() => JSON.stringify(properties))
  const [chosen, setChosen] = useState<CalendarReport | null>(null)

  useEffect(() => {
    const subscription = actor.on('calendar.chosen', setChosen)
    actor.start()
    return () => subscription.unsubscribe()
  }, [actor])

  return (
    <I18nProvider i18n={i18n}>
      <main>
        <Calendar actor={actor} />
        <form
          onSubmit={(event) => {
            event.preventDefault()
            setChosen(null)
            const properties: CalendarProperties = JSON.parse(text)
            actor.send({ type: 'calendar.configured', properties })
          }}
        >
          <label>
            Properties
            <textarea rows={6} cols={80} value={text} onChange={(event) => setText(event.target.value)} />
          </label>
          <button>Apply</button>
        </form>
        <output>{JSON.stringify(chosen)}</output>
      </main>
    </I18nProvider>
  )
}
