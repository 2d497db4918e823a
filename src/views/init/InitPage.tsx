import { type FormEvent, useEffect, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectAppLogo, selectAppTitle } from '../../machines/app/app.selectors.ts'
import type { initFormMachine, initMachine } from '../../machines/session/init.machine.ts'
import { useApp } from '../app/console.ts'
import { Entrance } from '../sign-in/Entrance.tsx'
import styles from '../sign-in/Entrance.module.css'
import { Button } from '../ui/Button.tsx'
import { TextArea, TextField } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { PasswordStrength } from '../ui/PasswordStrength.tsx'
import { useFieldError } from '../ui/field-errors.ts'

const selectForm = ({ context }: SnapshotFrom<typeof initMachine>) => context.form
const selectIsTaken = (snapshot: SnapshotFrom<typeof initMachine>) => snapshot.matches('taken')
const selectContext = ({ context }: SnapshotFrom<typeof initFormMachine>) => context
const selectIsBusy = (snapshot: SnapshotFrom<typeof initFormMachine>) => snapshot.hasTag('busy')

export function InitPage({ actor }: { actor: ActorRefFrom<typeof initMachine> }) {
  const { t } = useLingui()
  const form = useSelector(actor, selectForm)
  const isTaken = useSelector(actor, selectIsTaken)
  return (
    <Entrance title={t`First start`} logo={useApp(selectAppLogo)} appTitle={useApp(selectAppTitle)}>
      {isTaken ? (
        <>
          <p className={styles.bad} role="alert">
            <Trans>Somebody has set this server up already. Sign in, or ask them for a login.</Trans>
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
  const { values, errors, refusals } = useSelector(form, selectContext)
  const isBusy = useSelector(form, selectIsBusy)
  const errorOf = useFieldError(errors)
  const element = useRef<HTMLFormElement>(null)

  useEffect(() => {
    element.current?.querySelector<HTMLInputElement>(refusals === 0 ? 'input' : '[aria-invalid="true"]')?.focus()
  }, [refusals])

  const edit = (name: keyof typeof values) => ({
    name,
    value: values[name],
    error: errorOf(name),
    onChange: (value: string) => form.send({ type: 'form.edited', values: { [name]: value } }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.send({ type: 'form.submitted' })
  }

  return (
    <form ref={element} className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.note}>
        <Trans>This server has no users yet. Create its first administrator; you will be signed in at once.</Trans>
      </p>
      <TextField label={t`Login`} autoComplete="username" autoCapitalize="none" spellCheck={false} {...edit('login')} />
      <PasswordField label={t`Password`} autoComplete="new-password" {...edit('password')} />
      <PasswordStrength password={values.password} login={values.login} />
      <TextField label={t`Email`} type="email" autoComplete="email" help={t`To recover the password by mail.`} {...edit('email')} />
      <details>
        <summary>{t`I have a license`}</summary>
        <TextArea label={t`License`} spellCheck={false} {...edit('license')} />
      </details>
      <Button type="submit" variant="primary" busy={isBusy}>
        {t`Create administrator`}
      </Button>
    </form>
  )
}
