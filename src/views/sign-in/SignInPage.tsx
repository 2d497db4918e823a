import { type FormEvent, useEffect, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { formatNumber } from '../../i18n/formats.ts'
import { selectAppLogo, selectAppTitle, selectSettings } from '../../machines/app/app.selectors.ts'
import { passkeyFeature } from '../../machines/profile/features.ts'
import { selectContext, selectIsBusy } from '../../machines/selectors.ts'
import type { signInMachine } from '../../machines/session/sign-in.machine.ts'
import { useApp } from '../app/console.ts'
import { Button } from '../ui/Button.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { TextField } from '../ui/Field.tsx'
import { Entrance } from './Entrance.tsx'
import { SingleSignOn } from './SingleSignOn.tsx'
import styles from './Entrance.module.css'

type Snapshot = SnapshotFrom<typeof signInMachine>

const selectIsIncomplete = (snapshot: Snapshot) => snapshot.matches('incomplete')
const selectIsCodeAsked = (snapshot: Snapshot) => snapshot.matches('code') || snapshot.context.code !== ''
const selectIsWithPasskey = (snapshot: Snapshot) => snapshot.matches('passkey')
const selectIsRejected = (snapshot: Snapshot) => snapshot.matches({ code: 'rejected' })

export function SignInPage({ actor }: { actor: ActorRefFrom<typeof signInMachine> }) {
  const { t } = useLingui()
  const { login, password, code, isReset, errors, secondsLeft: wait, failures } = useSelector(actor, selectContext)
  const isBusy = useSelector(actor, selectIsBusy)
  const isIncomplete = useSelector(actor, selectIsIncomplete)
  const isCodeAsked = useSelector(actor, selectIsCodeAsked)
  const isRejected = useSelector(actor, selectIsRejected)
  const isWithPasskey = useSelector(actor, selectIsWithPasskey)
  const { passwordResetAllowed, features } = useApp(selectSettings)
  const form = useRef<HTMLFormElement>(null)
  const secondsLeft = formatNumber(wait)

  useEffect(() => {
    const isLoginWrong = actor.getSnapshot().context.errors['login'] !== undefined
    const field = isCodeAsked ? 'code' : failures === 0 || isLoginWrong ? 'login' : 'password'
    const input = form.current?.querySelector<HTMLInputElement>(`[name="${field}"]`)
    /* The user may already type: the page is shown before the console has loaded (src/wiring/entrance). */
    if (failures === 0 && field === 'login' && form.current?.contains(document.activeElement) === true) return
    input?.focus()
    if (isCodeAsked) input?.select()
  }, [actor, failures, isCodeAsked])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    actor.send({ type: 'credentials.submitted' })
    const fieldToFill = isCodeAsked ? 'code' : login.trim() === '' ? 'login' : 'password'
    const snapshot = actor.getSnapshot()
    if (selectIsIncomplete(snapshot) || selectIsRejected(snapshot))
      form.current?.querySelector<HTMLInputElement>(`[name="${fieldToFill}"]`)?.focus()
  }

  return (
    <Entrance title={t`Sign in`} logo={useApp(selectAppLogo)} appTitle={useApp(selectAppTitle)}>
      {isReset && (
        <p className={styles.good} role="status">
          <Trans>Sign in with the new password.</Trans>
        </p>
      )}
      <form ref={form} className={styles.form} onSubmit={submit} noValidate>
        {isCodeAsked ? (
          <TextField
            label={t`Code`}
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            help={t`6 digits from the app on your phone, or a recovery code`}
            value={code}
            error={isRejected ? (code.trim() === '' ? t`Enter the code` : t`Wrong code, or already used`) : undefined}
            onChange={(value) => actor.send({ type: 'credentials.edited', code: value })}
          />
        ) : (
          <>
            <TextField
              label={t`Login`}
              name="login"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              value={login}
              error={isIncomplete && login.trim() === '' ? t`Enter your login` : errors['login']}
              onChange={(value) => actor.send({ type: 'credentials.edited', login: value })}
            />
            <PasswordField
              label={t`Password`}
              name="password"
              autoComplete="current-password"
              value={password}
              error={isIncomplete && password === '' ? t`Enter your password` : errors['password']}
              onChange={(value) => actor.send({ type: 'credentials.edited', password: value })}
            />
          </>
        )}
        <Button type="submit" variant="primary" busy={isBusy} disabled={wait > 0}>
          {t`Sign in`}
        </Button>
        {wait > 0 && (
          <p className={styles.note} role="status">
            <Trans>Too many attempts. You can try again in {secondsLeft} s.</Trans>
          </p>
        )}
        {features.includes(passkeyFeature) && !isCodeAsked && (
          <Button
            busy={isWithPasskey}
            disabled={isBusy || wait > 0}
            onClick={() => actor.send({ type: 'passkey.requested' })}
          >{t`Sign in with a passkey`}</Button>
        )}
        {isCodeAsked && <Button onClick={() => actor.send({ type: 'password.requested' })}>{t`Back`}</Button>}
        {passwordResetAllowed && !isCodeAsked && (
          <p className={styles.note}>
            <Link href="/recover-password">{t`Forgot password?`}</Link>
          </p>
        )}
      </form>
      <SingleSignOn />
    </Entrance>
  )
}
