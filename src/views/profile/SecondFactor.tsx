import { useEffect, useId, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectUser } from '../../machines/app/app.selectors.ts'
import type { passwordFormMachine, secondFactorMachine } from '../../machines/profile/second-factor.machine.ts'
import { useApp } from '../app/console.ts'
import { Form, useForm } from '../form/Form.tsx'
import people from '../people/people.module.css'
import { Button } from '../ui/Button.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { ConfirmCode } from './ConfirmCode.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type Snapshot = SnapshotFrom<typeof secondFactorMachine>

const selectStep = ({ value }: Snapshot) => value
const selectForms = ({ children }: Snapshot) => children

/** Turns two-factor authentication on, step by step, and off. */
export function SecondFactor({ actor }: { actor: ActorRefFrom<typeof secondFactorMachine> }) {
  const { t } = useLingui()
  const heading = useId()
  const step = useSelector(actor, selectStep)
  const { begin, confirm, remove } = useSelector(actor, selectForms)
  const left = useApp(selectUser)?.recoveryCodesLeft
  const section = useRef<HTMLElement>(null)
  const shownStep = useRef(step)
  // The pressed button disappears with its step; a form of the next step has the focus by now.
  useEffect(() => {
    if (shownStep.current !== step && document.activeElement === document.body)
      section.current?.focus({ preventScroll: true })
    shownStep.current = step
  }, [step])
  if (step === 'absent') return null
  const isOn = step === 'on' || step === 'removing' || step === 'showingCodes'
  return (
    <section ref={section} tabIndex={-1} className={people.section} aria-labelledby={heading}>
      <div className={people.heading}>
        <h2 id={heading}>{t`Two-factor authentication`}</h2>
        <span className={`${people.badge} ${isOn ? people.good : ''}`}>
          {isOn
            ? t({ message: 'On', context: 'two-factor authentication' })
            : t({ message: 'Off', context: 'two-factor authentication' })}
        </span>
      </div>
      <div className={people.panel}>
        {step === 'off' && (
          <>
            <p>
              <Trans>
                Your password alone is enough to sign in. With an authenticator app on your phone, signing in also
                requires a code that changes every 30 seconds.
              </Trans>
            </p>
            <div className={people.end}>
              <Button onClick={() => actor.send({ type: 'factor.addRequested' })}>{t`Turn on`}</Button>
            </div>
          </>
        )}
        {begin !== undefined && (
          <PasswordStep actor={actor} form={begin} submitLabel={t`Continue`}>
            <Trans>Enter your password to turn on two-factor authentication.</Trans>
          </PasswordStep>
        )}
        {confirm !== undefined && <ConfirmCode actor={actor} form={confirm} />}
        {step === 'showingCodes' && <RecoveryCodes actor={actor} />}
        {step === 'on' && (
          <>
            <p>
              <Trans>Signing in requires your password and a code from your authenticator app.</Trans>{' '}
              {left !== undefined && (
                <Plural
                  value={left}
                  _0="No recovery codes are left: turn it off and on again for new ones."
                  one="# recovery code is left."
                  other="# recovery codes are left."
                />
              )}
            </p>
            <div className={people.end}>
              <Button onClick={() => actor.send({ type: 'factor.removeRequested' })}>{t`Turn off`}</Button>
            </div>
          </>
        )}
        {remove !== undefined && (
          <PasswordStep actor={actor} form={remove} submitLabel={t`Turn off`} isDangerous>
            <Trans>
              You will sign in with your password alone, and the recovery codes stop working. Your other sessions end.
            </Trans>
          </PasswordStep>
        )}
      </div>
    </section>
  )
}

interface PasswordStepProps {
  actor: ActorRefFrom<typeof secondFactorMachine>
  form: ActorRefFrom<typeof passwordFormMachine>
  submitLabel: string
  isDangerous?: boolean
  children: React.ReactNode
}

function PasswordStep({ actor, form, submitLabel, isDangerous = false, children }: PasswordStepProps) {
  const { t } = useLingui()
  const { isBusy, text } = useForm(form)
  const login = useApp(selectUser)?.name ?? ''
  return (
    <Form form={form} className={people.form} focusFirst>
      <p>{children}</p>
      {/* For password managers, which ask whose password it is. */}
      <input type="text" autoComplete="username" value={login} readOnly hidden />
      <PasswordField label={t`Password`} autoComplete="current-password" {...text('password')} />
      <div className={people.end}>
        <Button disabled={isBusy} onClick={() => actor.send({ type: 'factor.cancelled' })}>{t`Cancel`}</Button>
        <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} busy={isBusy}>
          {submitLabel}
        </Button>
      </div>
    </Form>
  )
}
