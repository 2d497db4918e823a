import { Trans, useLingui } from '@lingui/react/macro'
import type { PropertyError } from '../../machines/calendar/calendar-rules.ts'
import styles from './Calendar.module.css'

export function CalendarError({ error }: { error: PropertyError }) {
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
