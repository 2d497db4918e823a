import { useEffect, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Check, Copy, EyeOff } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { TokenCreated } from '../../api/contract/user.ts'
import { selectConfiguration } from '../../machines/app/app.selectors.ts'
import type { tokensMachine } from '../../machines/tokens/tokens.machine.ts'
import { useApp } from '../app/console.ts'
import people from '../people/people.module.css'
import { Button } from '../ui/Button.tsx'
import styles from './tokens.module.css'

const selectCopying = (snapshot: SnapshotFrom<typeof tokensMachine>) => snapshot.value.secret

export function Secret({
  actor,
  created: { token },
}: {
  actor: ActorRefFrom<typeof tokensMachine>
  created: TokenCreated
}) {
  const { t } = useLingui()
  const panel = useRef<HTMLElement>(null)
  /** The panel appears away from the button that was pressed: the focus leads to it. */
  useEffect(() => panel.current?.focus(), [])
  const copying = useSelector(actor, selectCopying)
  const { apiBaseUrl } = useApp(selectConfiguration)
  const base = new URL(apiBaseUrl, globalThis.location.origin).href.replace(/\/+$/, '')
  const command = `curl -H "Authorization: Bearer $TOKEN" ${base}/v1/streams`
  const copy = (text: string) => actor.send({ type: 'secret.copied', text })
  return (
    <section ref={panel} className={people.panel} tabIndex={-1} aria-label={t`The new token`}>
      <p>
        <strong>
          <Trans>Copy the token now: it is not shown again.</Trans>
        </strong>
      </p>
      <div className={styles.secret}>
        <code className={styles.code}>{token}</code>
        <Button
          variant="primary"
          icon={copying === 'copied' ? <Check size={16} /> : <Copy size={16} />}
          onClick={() => copy(token)}
        >
          {t`Copy token`}
        </Button>
      </div>
      <p className={people.muted}>
        <Trans>A call with curl, with the token in the variable TOKEN:</Trans>
      </p>
      <div className={styles.secret}>
        <code className={styles.code}>{command}</code>
        <Button icon={<Copy size={16} />} onClick={() => copy(command)}>{t`Copy command`}</Button>
      </div>
      <div className={people.end}>
        <p className={people.muted} role="status">
          {copying === 'copied' && <Trans>Copied.</Trans>}
          {copying === 'notCopied' && (
            <Trans>This browser doesn't let the page copy: click the text to select it, then copy it yourself.</Trans>
          )}
        </p>
        <Button
          icon={<EyeOff size={16} />}
          onClick={() => actor.send({ type: 'secret.hidden' })}
        >{t`I have saved it`}</Button>
      </div>
    </section>
  )
}
