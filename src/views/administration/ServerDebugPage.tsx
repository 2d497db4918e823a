import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { PackageOpen } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { serverDebugMachine } from '../../machines/administration/server-debug.machine.ts'
import { selectContext } from '../../machines/selectors.ts'
import { LogTail } from '../log-tail/LogTail.tsx'
import { Button } from '../ui/Button.tsx'
import { Page, Panel } from '../ui/Page.tsx'
import styles from './Administration.module.css'

export function ServerDebugPage({ actor }: { actor: ActorRefFrom<typeof serverDebugMachine> }) {
  const { t } = useLingui()
  const { tail, hasBundle } = useSelector(actor, selectContext)
  const isBusy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'))
  return (
    <Page title={t`Server debug`}>
      {hasBundle && (
        <Panel
          title={t`Support bundle`}
          actions={
            <Button
              busy={isBusy}
              icon={<PackageOpen size={16} aria-hidden="true" />}
              onClick={() => actor.send({ type: 'bundle.requested' })}
            >
              {t`Save the bundle`}
            </Button>
          }
        >
          <p className={styles.quiet}>
            <Trans>
              One file for technical support: versions, settings, the last hour's figures, streams and the log.
              Passwords, tokens, licenses and credentials in URLs are masked.
            </Trans>
          </p>
        </Panel>
      )}
      <LogTail actor={tail} name="server" />
    </Page>
  )
}
