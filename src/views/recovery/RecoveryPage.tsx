import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { formatNumber } from '../../i18n/formats.ts'
import { titles } from '../../i18n/titles.ts'
import { selectAppLogo, selectAppTitle, selectSettings } from '../../machines/app/app.selectors.ts'
import { type recoveryMachine, secondsUntil } from '../../machines/recovery/recovery.machine.ts'
import type { RecoveryValues } from '../../machines/recovery/recovery-values.ts'
import { selectContext } from '../../machines/selectors.ts'
import { useApp } from '../app/console.ts'
import { Entrance } from '../sign-in/Entrance.tsx'
import styles from '../sign-in/Entrance.module.css'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { PasswordStrength } from '../ui/PasswordStrength.tsx'
import { useFieldError } from '../ui/field-errors.ts'

type Snapshot = SnapshotFrom<typeof recoveryMachine>

const selectIsSending = (snapshot: Snapshot) => snapshot.matches({ code: 'sending' })
const selectIsResetting = (snapshot: Snapshot) => snapshot.matches({ reset: 'submitting' })
const selectCodeWait = ({ context }: Snapshot) => secondsUntil(context.codeAllowedAt, context.now)
const selectResetWait = ({ context }: Snapshot) => secondsUntil(context.resetAllowedAt, context.now)

export function RecoveryPage({ actor }: { actor: ActorRefFrom<typeof recoveryMachine> }) {
  const { t } = useLingui()
  const { failures, errors, email, code, password } = useSelector(actor, selectContext)
  const isSending = useSelector(actor, selectIsSending)
  const isResetting = useSelector(actor, selectIsResetting)
  const codeSeconds = useSelector(actor, selectCodeWait)
  const resetSeconds = useSelector(actor, selectResetWait)
  const [codeWait, resetWait] = [formatNumber(codeSeconds), formatNumber(resetSeconds)]
  const { passwordResetAllowed } = useApp(selectSettings)
  const errorOf = useFieldError(errors)
  const page = useRef<HTMLDivElement>(null)

  useEffect(() => {
    page.current?.querySelector<HTMLInputElement>(failures === 0 ? 'input' : '[aria-invalid="true"]')?.focus()
  }, [failures])

  const edit = (values: Partial<RecoveryValues>) => actor.send({ type: 'recovery.edited', values })
  const sendCode = (event: FormEvent) => {
    event.preventDefault()
    actor.send({ type: 'code.requested' })
  }
  const reset = (event: FormEvent) => {
    event.preventDefault()
    actor.send({ type: 'reset.submitted' })
  }

  return (
    <Entrance title={t(titles.recoverPassword)} logo={useApp(selectAppLogo)} appTitle={useApp(selectAppTitle)}>
      <div ref={page} className={styles.form}>
        {!passwordResetAllowed && (
          <p className={styles.bad}>
            <Trans>
              This server doesn't send email, so you may not receive a code. Ask an administrator for a new password.
            </Trans>
          </p>
        )}
        <form className={styles.form} onSubmit={sendCode} noValidate>
          <TextField
            label={t`Email`}
            name="email"
            type="email"
            autoComplete="email"
            help={t`The email address of your account on this server.`}
            value={email}
            error={errorOf('email')}
            onChange={(value) => edit({ email: value })}
          />
          <Button
            type="submit"
            variant={codeSeconds > 0 ? 'secondary' : 'primary'}
            busy={isSending}
            disabled={codeSeconds > 0}
            aria-describedby={codeSeconds > 0 ? 'code-wait' : undefined}
          >
            {t`Send code`}
          </Button>
          <p id="code-wait" className={styles.note} hidden={codeSeconds === 0} role="timer">
            <Trans>You can request another code in {codeWait} s.</Trans>
          </p>
        </form>
        <form className={styles.form} onSubmit={reset} noValidate>
          <TextField
            label={t`Code`}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            help={t`The code from the email.`}
            value={code}
            error={errorOf('code')}
            onChange={(value) => edit({ code: value })}
          />
          <PasswordField
            label={t`New password`}
            name="password"
            autoComplete="new-password"
            value={password}
            error={errorOf('password')}
            onChange={(value) => edit({ password: value })}
          />
          <PasswordStrength password={password} />
          <Button
            type="submit"
            variant={codeSeconds > 0 ? 'primary' : 'secondary'}
            busy={isResetting}
            disabled={resetSeconds > 0}
          >
            {t`Change password`}
          </Button>
          <p className={styles.note} hidden={resetSeconds === 0} role="timer">
            <Trans>Too many attempts. You can try again in {resetWait} s.</Trans>
          </p>
        </form>
        <p className={styles.note}>
          <Link href="/auth">{t`Back to sign in`}</Link>
        </p>
      </div>
    </Entrance>
  )
}
