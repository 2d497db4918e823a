import { useId, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import { dayOf } from '../../machines/calendar/calendar-grid.ts'
import type { tokenFormMachine } from '../../machines/tokens/tokens.machine.ts'
import { DatePicker } from '../calendar/DatePicker.tsx'
import { Form, useForm } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import people from '../people/people.module.css'
import { SelectField, TextField } from '../ui/Field.tsx'

function dayHere(): string {
  const now = new Date()
  return dayOf(Math.floor((now.getTime() / 60_000 - now.getTimezoneOffset()) / 1440))
}

export function CreateToken({ form, onClose }: { form: ActorRefFrom<typeof tokenFormMachine>; onClose: () => void }) {
  const { t } = useLingui()
  const id = useId()
  const { values, isBusy, text } = useForm(form)
  const [today] = useState(dayHere)
  const presets = [
    { value: 'day', label: t`In 1 day` },
    { value: 'month', label: t`In 30 days` },
    { value: 'quarter', label: t`In 90 days` },
    { value: 'year', label: t`In 1 year` },
    { value: 'never', label: t`Never` },
    { value: 'date', label: t`On a specific day` },
  ]
  return (
    <FormDialog title={t`Create token`} form={id} submitLabel={t`Create`} isBusy={isBusy} onClose={onClose}>
      <Form form={form} id={id} className={people.form} focusFirst>
        <TextField label={t`Name`} help={t`What the token is used for.`} autoComplete="off" {...text('name')} />
        <SelectField
          label={t`Expires`}
          options={presets}
          {...(values.expireTime === 'never'
            ? { help: t`Anyone who gets the token can use it until you delete it.` }
            : {})}
          {...text('expireTime')}
        />
        {values.expireTime === 'date' && <DatePicker label={t`Last day`} today={today} min={today} {...text('date')} />}
      </Form>
    </FormDialog>
  )
}
