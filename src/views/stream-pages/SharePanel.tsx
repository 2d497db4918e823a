import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link2, Link2Off } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import type { shareMachine } from '../../machines/stream-pages/share.machine.ts'
import { useApp } from '../app/console.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { Panel } from '../ui/Page.tsx'
import { QrCode } from '../ui/QrCode.tsx'
import { ShareOptions } from './ShareOptions.tsx'
import styles from './SharePanel.module.css'

type Snapshot = SnapshotFrom<typeof shareMachine>

const selectContext = ({ context }: Snapshot) => context
const selectIsOpening = (snapshot: Snapshot) => snapshot.matches('opening')
const selectIsConfirming = (snapshot: Snapshot) => snapshot.matches('confirming') || snapshot.matches('withdrawing')
const selectIsWithdrawing = (snapshot: Snapshot) => snapshot.matches('withdrawing')

/** Creates, shows and withdraws the public link of a stream. */
export function SharePanel({ actor, name }: { actor: ActorRefFrom<typeof shareMachine>; name: string }) {
  const { t } = useLingui()
  const { link, isShared, form } = useSelector(actor, selectContext)
  const hasOptions = useApp(selectSettings).features.includes('share-options')
  const isOpening = useSelector(actor, selectIsOpening)
  const isConfirming = useSelector(actor, selectIsConfirming)
  const isWithdrawing = useSelector(actor, selectIsWithdrawing)
  return (
    <Panel title={t`Share`}>
      <p className={styles.quiet}>
        {isShared ? (
          <Trans>Anyone with the link can watch this stream live without signing in. The archive is not shared.</Trans>
        ) : (
          <Trans>
            Only users who are signed in can watch this stream. A public link lets anyone watch it live, without the
            archive.
          </Trans>
        )}
      </p>
      {link !== null && (
        <div className={styles.link}>
          <div className={styles.address}>
            <TextField
              label={t`Link`}
              readOnly
              value={link.url}
              onChange={() => undefined}
              onFocus={({ target }) => target.select()}
            />
            <CopyButton text={link.url} />
          </div>
          <QrCode text={link.url} />
        </div>
      )}
      {form !== null && hasOptions && <ShareOptions form={form} />}
      <div className={styles.actions}>
        {link === null && (
          <Button
            busy={isOpening}
            icon={<Link2 size={16} aria-hidden="true" />}
            onClick={() => actor.send({ type: 'share.requested' })}
          >
            {isShared ? t`Show the link` : t`Share`}
          </Button>
        )}
        {isShared && (
          <Button
            icon={<Link2Off size={16} aria-hidden="true" />}
            onClick={() => actor.send({ type: 'share.withdrawalRequested' })}
          >
            {t`Withdraw`}
          </Button>
        )}
      </div>
      {isConfirming && (
        <ConfirmDialog
          title={t`Withdraw public access?`}
          confirmLabel={t`Withdraw`}
          busy={isWithdrawing}
          onConfirm={() => actor.send({ type: 'share.withdrawalConfirmed' })}
          onCancel={() => actor.send({ type: 'share.withdrawalCancelled' })}
        >
          <p>
            <Trans>
              All links to “{name}” stop working immediately, and their viewers are disconnected. Sharing it again
              creates a new link.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
