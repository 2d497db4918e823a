import { Trans, useLingui } from '@lingui/react/macro'
import type { PropertyError } from '../../machines/calendar/calendar-rules.ts'
import styles from './Calendar.module.css'

export function CalendarError({ error }: { error: PropertyError }) {
  const { t } = useLingui()
  const texts: Readonly<Record<PropertyError, string>> = {
    notADay: t`Days must have the form YYYY-MM-DD.`,
    minAfterMax: t`The earliest allowed day is after the latest.`,
    startAfterEnd: t`The start of the period is after its end.`,
    outsideAllowed: t`A selected day is outside the allowed days.`,
    wrongMonths: t`The number of months must be 3, 6, 9 or 12.`,
    wrongCount: t`Too many days are selected.`,
  }
  return (
    <p role="alert" className={styles.mistake}>
      <Trans>The calendar's settings are wrong.</Trans> {texts[error]}
    </p>
  )
}
