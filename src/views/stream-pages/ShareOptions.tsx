import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import { formatDateTime } from '../../i18n/formats.ts'
import type { shareFormMachine } from '../../machines/stream-pages/share.machine.ts'
import { Form, useForm } from '../form/Form.tsx'
import people from '../people/people.module.css'
import { Button } from '../ui/Button.tsx'
import { SelectField } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

/** The expiry and the password of a public link. */
export function ShareOptions({ form }: { form: ActorRefFrom<typeof shareFormMachine> }) {
  const { t } = useLingui()
  const { values, isBusy, text } = useForm(form)
  const moment =
    values.expireTime === ''
      ? ''
      : formatDateTime(Date.parse(values.expireTime), { dateStyle: 'long', timeStyle: 'short' })
  const options = [
    ...(values.expireTime === '' ? [] : [{ value: 'kept', label: t`On ${moment}` }]),
    { value: 'day', label: t`In 1 day` },
    { value: 'week', label: t`In 7 days` },
    { value: 'month', label: t`In 30 days` },
    { value: 'never', label: t`Never` },
  ]
  return (
    <Form form={form} className={people.form}>
      <SelectField label={t`Expires`} options={options} {...text('expires')} />
      <PasswordField
        label={t`Password of the link`}
        help={t`Visitors have to enter it to see the stream. Empty: no password`}
        autoComplete="new-password"
        {...text('password')}
        onFocus={({ target }) => target.select()}
      />
      <div className={people.end}>
        <Button type="submit" busy={isBusy}>
          {t`Save`}
        </Button>
      </div>
    </Form>
  )
}
