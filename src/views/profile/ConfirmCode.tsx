import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import type { codeFormMachine, secondFactorMachine } from '../../machines/profile/second-factor.machine.ts'
import { selectContext } from '../../machines/selectors.ts'
import { Form, useForm } from '../form/Form.tsx'
import people from '../people/people.module.css'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { TextField } from '../ui/Field.tsx'
import { QrCode } from '../ui/QrCode.tsx'
import styles from './SecondFactor.module.css'

interface ConfirmCodeProps {
  actor: ActorRefFrom<typeof secondFactorMachine>
  form: ActorRefFrom<typeof codeFormMachine>
}

/** Shows the key as a QR code and as text, and asks for the app's first code. */
export function ConfirmCode({ actor, form }: ConfirmCodeProps) {
  const { t } = useLingui()
  const { secret, url } = useSelector(actor, selectContext)
  const { isBusy, text } = useForm(form)
  const spacedSecret = secret.match(/.{1,4}/g)?.join(' ') ?? ''
  return (
    <Form form={form} className={styles.confirm} focusFirst>
      <div className={styles.qr}>
        <QrCode text={url} />
      </div>
      <div className={people.form}>
        <p>
          <Trans>Scan the QR code with an authenticator app, or type this key into it:</Trans>
        </p>
        <div className={styles.key}>
          <code>{spacedSecret}</code>
          <CopyButton text={secret} />
        </div>
        <TextField
          label={t`Code`}
          help={t`6 digits that the app shows for this server`}
          autoComplete="one-time-code"
          inputMode="numeric"
          {...text('code')}
        />
        <div className={people.end}>
          {/* Not while busy: the server may have turned the second factor on, and only its answer has the recovery
              codes. */}
          <Button disabled={isBusy} onClick={() => actor.send({ type: 'factor.cancelled' })}>{t`Cancel`}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t`Turn on`}
          </Button>
        </div>
      </div>
    </Form>
  )
}
