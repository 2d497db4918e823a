import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import { formatMoment } from '../../i18n/formats.ts'
import type { shareFormMachine } from '../../machines/stream-pages/share.machine.ts'
import { Form, useForm } from '../form/Form.tsx'
import people from '../people/people.module.css'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import { useApp } from '../app/console.ts'
import { Button } from '../ui/Button.tsx'
import { CheckField, SelectField } from '../ui/Field.tsx'
import { MomentField } from '../ui/MomentField.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

/** The expiry and the password of a public link, and the range of the archive that it shows. */
export function ShareOptions({ form }: { form: ActorRefFrom<typeof shareFormMachine> }) {
  const { t } = useLingui()
  const { values, isBusy, edit, text } = useForm(form)
  const hasRange = useApp(selectSettings).features.includes('share-range')
  const { zone } = values
  const moment = values.expireTime === '' ? '' : formatMoment(Date.parse(values.expireTime))
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
        help={t`Visitors have to enter it to see the stream. Empty: no password.`}
        autoComplete="new-password"
        {...text('password')}
        onFocus={({ target }) => target.select()}
      />
      {hasRange && (
        <>
          <MomentField
            label={t`From`}
            help={t`Visitors see the archive from this time on, beginning at the keyframe before it. Times in ${zone}.`}
            {...text('startTime')}
          />
          <MomentField
            label={t`To`}
            help={t`Leave both times empty to share live video without the archive.`}
            {...text('endTime')}
          />
          {(values.startTime !== '' || values.endTime !== '') && (
            <CheckField
              label={t`Live video, too`}
              help={t`Otherwise visitors see only this part of the archive.`}
              checked={values.live === 'on'}
              onChange={(isOn) => edit('live', isOn ? 'on' : '')}
            />
          )}
        </>
      )}
      <div className={people.end}>
        <Button type="submit" busy={isBusy}>
          {t`Save`}
        </Button>
      </div>
    </Form>
  )
}
