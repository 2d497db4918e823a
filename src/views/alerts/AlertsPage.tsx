import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { BellRing, Plus } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { titles } from '../../i18n/titles.ts'
import type { alertsMachine } from '../../machines/alerts/alerts.machine.ts'
import { selectContext } from '../../machines/selectors.ts'
import { noCameras } from '../../machines/streams/cameras.machine.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { Page } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { StatePanel } from '../ui/State.tsx'
import { AlertForm } from './AlertForm.tsx'
import { AlertItem } from './AlertItem.tsx'
import { Deliveries } from './Deliveries.tsx'
import { Mqtt } from './Mqtt.tsx'
import styles from './Alerts.module.css'

type Snapshot = SnapshotFrom<typeof alertsMachine>

const selectForm = ({ children }: Snapshot) => children.form
const selectIsConfirming = (snapshot: Snapshot) => snapshot.matches({ dialog: 'confirming' })
const selectIsSubscribing = (snapshot: Snapshot) => snapshot.matches({ dialog: { editing: 'subscribing' } })
const selectIsTesting = (snapshot: Snapshot) => snapshot.matches({ test: 'sending' })

export function AlertsPage({ actor }: { actor: ActorRefFrom<typeof alertsMachine> }) {
  const { t } = useLingui()
  const {
    list,
    cameras: cameraList,
    deliveries,
    mqtt,
    chosen,
    testedId,
    testResult,
    push: { destination },
    pushRefusal,
  } = useSelector(actor, selectContext)
  const form = useSelector(actor, selectForm)
  const isConfirming = useSelector(actor, selectIsConfirming)
  const isSubscribing = useSelector(actor, selectIsSubscribing)
  const isTesting = useSelector(actor, selectIsTesting)
  const { value, apiError } = useSelector(list, ({ context }) => context)
  const cameras = useSelector(cameraList, ({ context }) => context.value) ?? noCameras
  const count = value?.items.length ?? 0
  const name = chosen?.name ?? ''
  const nameOf = (uid: string) => cameras.items.find((camera) => camera.uid === uid)?.name || uid
  return (
    <Page
      title={t(titles.alerts)}
      width="middle"
      note={value !== null && <Plural value={count} one="# alert" other="# alerts" />}
      actions={
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => actor.send({ type: 'add.requested' })}>
          {t`Add alert`}
        </Button>
      }
    >
      <Resource value={value} apiError={apiError} onRetry={() => list.send({ type: 'resource.retried' })}>
        {({ items }) =>
          items.length === 0 ? (
            <StatePanel icon={<BellRing size={20} />} title={t`No alerts yet`}>
              <Trans>Add an alert to be notified when a camera or a disk fails.</Trans>
            </StatePanel>
          ) : (
            <ul className={styles.list} aria-label={t(titles.alerts)}>
              {items.map((alert) => (
                <AlertItem
                  key={alert.id}
                  alert={alert}
                  nameOf={nameOf}
                  isTesting={isTesting && testedId === alert.id}
                  isOtherTesting={isTesting && testedId !== alert.id}
                  testResult={testResult?.id === alert.id ? testResult : null}
                  onTest={() => actor.send({ type: 'test.requested', alert })}
                  onEdit={() => actor.send({ type: 'edit.requested', alert })}
                  onDelete={() => actor.send({ type: 'delete.requested', alert })}
                />
              ))}
            </ul>
          )
        }
      </Resource>
      {deliveries !== null && <Deliveries deliveries={deliveries} />}
      {mqtt !== null && <Mqtt actor={mqtt} />}
      {form !== undefined && (
        <AlertForm
          form={form}
          cameras={cameras}
          hasSecrets={deliveries !== null}
          push={{
            key: value?.pushKey ?? '',
            isBusy: isSubscribing,
            destination,
            refusal: pushRefusal,
            onSubscribe: (push) => actor.send({ type: 'push.requested', ...push }),
          }}
          onClose={() => actor.send({ type: 'dialog.closed' })}
        />
      )}
      {isConfirming && (
        <ConfirmDialog
          title={t`Delete the alert ${name}?`}
          confirmLabel={t`Delete`}
          onConfirm={() => actor.send({ type: 'delete.confirmed' })}
          onCancel={() => actor.send({ type: 'dialog.closed' })}
        >
          <Trans>It is no longer sent, and messages waiting to be sent are discarded.</Trans>
        </ConfirmDialog>
      )}
    </Page>
  )
}
