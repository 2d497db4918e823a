import { Trans, useLingui } from '@lingui/react/macro'
import { Moon, Trash2 } from 'lucide-react'
import type { QuietHours as Hours } from '../../api/contract/alerts.ts'
import { zoneText } from '../timeline/zone-text.ts'
import { Button } from '../ui/Button.tsx'
import { CheckField, SelectField, TextField } from '../ui/Field.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { removeRow } from '../ui/remove-row.ts'
import { weekdayName, weekdays } from './weekdays.ts'
import styles from './Alerts.module.css'

type Period = Hours['periods'][number]

const everyNight: Period = { days: [...weekdays], from: '22:00', to: '06:00' }
/** As many as the server accepts (docs/wire.md §6.2). */
const maxPeriods = 7

interface QuietHoursProps {
  hours: Hours
  errorOf: (field: string) => string | undefined
  onChange: (hours: Hours) => void
}

/** The hours in which an alert sends nothing. */
export function QuietHours({ hours, errorOf, onChange }: QuietHoursProps) {
  const { t } = useLingui()
  const { timezone, summary, periods } = hours
  const edit = (change: Partial<Hours>) => onChange({ ...hours, ...change })
  const add = () => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    edit({ timezone: timezone || timeZone, periods: [...periods, everyNight] })
  }
  const zones = [...new Set([timezone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].filter(Boolean)
  return (
    <fieldset className={styles.group}>
      <legend>
        <Trans>Quiet hours</Trans>
      </legend>
      {periods.map((period, index) => (
        <PeriodFields
          key={index}
          number={index + 1}
          period={period}
          errorOf={(field) => errorOf(`quietHours.periods.${index}.${field}`)}
          onChange={(change) =>
            edit({ periods: periods.map((each, other) => (other === index ? { ...each, ...change } : each)) })
          }
          onRemove={() => edit({ periods: periods.filter((_each, other) => other !== index) })}
        />
      ))}
      <div>
        <Button
          data-add-period
          disabled={periods.length >= maxPeriods}
          icon={<Moon size={16} aria-hidden="true" />}
          onClick={add}
        >
          {periods.length === 0 ? t`Add quiet hours` : t`Add more quiet hours`}
        </Button>
      </div>
      {periods.length > 0 && (
        <>
          <SelectField
            label={t`Time zone`}
            value={timezone}
            error={errorOf('quietHours.timezone')}
            options={zones.toSorted().map((zone) => ({ value: zone, label: zoneText(zone) }))}
            onChange={(zone) => edit({ timezone: zone })}
          />
          <CheckField
            label={t`Send a summary when they end`}
            help={t`One message lists what happened meanwhile. Without it, only faults that still last are reported.`}
            checked={summary}
            onChange={(isOn) => edit({ summary: isOn })}
          />
        </>
      )}
    </fieldset>
  )
}

interface PeriodFieldsProps {
  number: number
  period: Period
  errorOf: (field: string) => string | undefined
  onChange: (change: Partial<Period>) => void
  onRemove: () => void
}

function PeriodFields({ number, period, errorOf, onChange, onRemove }: PeriodFieldsProps) {
  const { t } = useLingui()
  const { days, from, to } = period
  const daysError = errorOf('days')
  return (
    <fieldset className={styles.period} aria-label={t`Quiet hours ${number}`}>
      <div className={styles.days} role="group" aria-label={t`Days`}>
        {weekdays.map((day) => (
          <CheckField
            key={day}
            label={weekdayName(day)}
            checked={days.includes(day)}
            invalid={daysError !== undefined}
            onChange={(isOn) => onChange({ days: weekdays.filter((one) => (one === day ? isOn : days.includes(one))) })}
          />
        ))}
      </div>
      {daysError !== undefined && (
        <p className={styles.apiError} role="alert">
          <Trans>Select at least one day</Trans>
        </p>
      )}
      <div className={styles.times}>
        <TextField
          type="time"
          label={t`From`}
          value={from}
          error={errorOf('from')}
          onChange={(time) => onChange({ from: time })}
        />
        <TextField
          type="time"
          label={t`To`}
          value={to}
          help={to !== '' && to <= from ? t`On the next day` : undefined}
          error={errorOf('to')}
          onChange={(time) => onChange({ to: time })}
        />
        <IconButton
          label={t`Remove quiet hours ${number}`}
          icon={<Trash2 size={16} />}
          onPress={() => removeRow('fieldset > fieldset button', '[data-add-period]', onRemove)}
        />
      </div>
    </fieldset>
  )
}
