import { useEffect, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Printer } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectAppTitle, selectUser } from '../../machines/app/app.selectors.ts'
import type { secondFactorMachine } from '../../machines/profile/second-factor.machine.ts'
import { useApp, useConsole } from '../app/console.ts'
import people from '../people/people.module.css'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import styles from './SecondFactor.module.css'

const selectCodes = ({ context }: SnapshotFrom<typeof secondFactorMachine>) => context.recoveryCodes

/** In two halves, which are easier to copy by hand. */
const shown = (code: string): string => (/^\d{10}$/.test(code) ? `${code.slice(0, 5)}-${code.slice(5)}` : code)

export function RecoveryCodes({ actor }: { actor: ActorRefFrom<typeof secondFactorMachine> }) {
  const { t } = useLingui()
  const { saveText } = useConsole()
  const codes = useSelector(actor, selectCodes).map(shown)
  const title = useApp(selectAppTitle)
  const login = useApp(selectUser)?.name ?? ''
  const panel = useRef<HTMLDivElement>(null)
  /** The panel replaces the form that had the focus. */
  useEffect(() => panel.current?.focus(), [])
  const text = `${codes.join('\n')}\n`
  return (
    <div
      ref={panel}
      className={`${people.form} ${styles.codes}`}
      tabIndex={-1}
      role="group"
      aria-label={t`Recovery codes`}
    >
      <p>
        <strong>
          <Trans>Save the recovery codes now: they are not shown again.</Trans>
        </strong>{' '}
        <Trans>If you don't have your phone, each recovery code replaces the app's code once.</Trans>
      </p>
      <p className={styles.printed}>
        {title}: {login}
      </p>
      <ul className={styles.list}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={people.end}>
        <CopyButton text={text} />
        <Button
          icon={<Download size={16} aria-hidden="true" />}
          onClick={() => saveText(`recovery-codes-${login.replaceAll(/[\\/:*?"<>|]+/g, '-')}.txt`, 'text/plain', text)}
        >{t`Download`}</Button>
        <Button icon={<Printer size={16} aria-hidden="true" />} onClick={() => globalThis.print()}>{t`Print`}</Button>
        <Button variant="primary" onClick={() => actor.send({ type: 'codes.kept' })}>{t`I have saved them`}</Button>
      </div>
    </div>
  )
}
