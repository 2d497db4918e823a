import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link2, Link2Off } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import { formatMoment } from '../../i18n/formats.ts'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import { selectContext } from '../../machines/selectors.ts'
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

const selectIsOpening = (snapshot: Snapshot) => snapshot.matches('opening')
const selectIsConfirming = (snapshot: Snapshot) => snapshot.matches('confirming') || snapshot.matches('withdrawing')
const selectIsWithdrawing = (snapshot: Snapshot) => snapshot.matches('withdrawing')

interface SharedRangeProps {
  from: number
  to: number
  /** That of the browser if undefined. */
  zone: string | undefined
  hasLive: boolean
}

function SharedRange({ from, to, zone, hasLive }: SharedRangeProps) {
  const [start, end] = [from, to].map((at) => formatMoment(at, zone))
  return hasLive ? (
    <Trans>
      Anyone with the link can watch this stream live, and its archive from {start} to {end}, without signing in.
    </Trans>
  ) : (
    <Trans>
      Anyone with the link can watch the archive from {start} to {end} without signing in. Live video is not shared.
    </Trans>
  )
}

interface SharePanelProps {
  actor: ActorRefFrom<typeof shareMachine>
  stream: Stream
}

/** Creates, shows and withdraws the public link of a stream. */
export function SharePanel({ actor, stream }: SharePanelProps) {
  const { t } = useLingui()
  const { link, isShared, form, marks } = useSelector(actor, selectContext)
  const [start, end] = [marks?.from ?? 0, marks?.to ?? 0].map((at) => formatMoment(at))
  const hasOptions = useApp(selectSettings).features.includes('share-options')
  const isOpening = useSelector(actor, selectIsOpening)
  const isConfirming = useSelector(actor, selectIsConfirming)
  const isWithdrawing = useSelector(actor, selectIsWithdrawing)
  const name = stream.name || stream.uid
  // The stream reports the range of a link that isn't shown yet.
  const shared = link ?? (isShared ? stream.sharedRange : undefined)
  return (
    <Panel title={t`Share`}>
      <p className={styles.quiet}>
        {shared?.startTime !== undefined && shared.endTime !== undefined ? (
          <SharedRange from={shared.startTime} to={shared.endTime} zone={link?.zone} hasLive={shared.live === true} />
        ) : marks !== null && !isShared ? (
          <Trans>
            Only users who are signed in can watch this stream. A public link will show the archive from {start} to{' '}
            {end}, without live video.
          </Trans>
        ) : isShared ? (
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
