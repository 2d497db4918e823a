import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectAppLogo, selectAppTitle } from '../../machines/app/app.selectors.ts'
import type { initFormMachine, initMachine } from '../../machines/session/init.machine.ts'
import { useApp } from '../app/console.ts'
import { Form, useForm } from '../form/Form.tsx'
import { Entrance } from '../sign-in/Entrance.tsx'
import styles from '../sign-in/Entrance.module.css'
import { Button } from '../ui/Button.tsx'
import { TextArea, TextField } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { PasswordStrength } from '../ui/PasswordStrength.tsx'

const selectForm = ({ context }: SnapshotFrom<typeof initMachine>) => context.form
const selectIsAlreadySetUp = (snapshot: SnapshotFrom<typeof initMachine>) => snapshot.matches('taken')

export function InitPage({ actor }: { actor: ActorRefFrom<typeof initMachine> }) {
  const { t } = useLingui()
  const form = useSelector(actor, selectForm)
  const isAlreadySetUp = useSelector(actor, selectIsAlreadySetUp)
  return (
    <Entrance title={t`Server initialization`} logo={useApp(selectAppLogo)} appTitle={useApp(selectAppTitle)}>
      {isAlreadySetUp ? (
        <>
          <p className={styles.bad} role="alert">
            <Trans>This server is already set up. Sign in, or ask its administrator for a login.</Trans>
          </p>
          <Button variant="primary" onClick={() => actor.send({ type: 'signIn.requested' })}>{t`Go to sign in`}</Button>
        </>
      ) : (
        <InitForm form={form} />
      )}
    </Entrance>
  )
}

function InitForm({ form }: { form: ActorRefFrom<typeof initFormMachine> }) {
  const { t } = useLingui()
  const { values, errors, isBusy, text } = useForm(form)
  return (
    <Form form={form} className={styles.form} focusFirst>
      <p className={styles.note}>
        <Trans>This server has no users yet. Create its first administrator; you will be signed in immediately.</Trans>
      </p>
      <TextField label={t`Login`} autoComplete="username" autoCapitalize="none" spellCheck={false} {...text('login')} />
      <PasswordField label={t`Password`} autoComplete="new-password" {...text('password')} />
      <PasswordStrength password={values.password} login={values.login} />
      <TextField
        label={t`Email`}
        type="email"
        autoComplete="email"
        help={t`Used to recover the password.`}
        {...text('email')}
      />
      <details open={errors['license'] !== undefined || undefined}>
        <summary>{t`I have a license`}</summary>
        <TextArea label={t`License`} spellCheck={false} {...text('license')} />
      </details>
      <Button type="submit" variant="primary" busy={isBusy}>
        {t`Create administrator`}
      </Button>
    </Form>
  )
}
