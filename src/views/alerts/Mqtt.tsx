import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { CircleAlert, CircleCheck, Send } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { MqttDeliveries, MqttDelivery } from '../../api/contract/mqtt.ts'
import { apiErrorText } from '../../i18n/errors.ts'
import { formatMoment } from '../../i18n/formats.ts'
import type { mqttMachine } from '../../machines/alerts/mqtt.machine.ts'
import { selectContext } from '../../machines/selectors.ts'
import { Button } from '../ui/Button.tsx'
import { Panel } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { DeliveryTable } from './DeliveryTable.tsx'
import { useFailure } from './words.ts'
import styles from './Alerts.module.css'

type Snapshot = SnapshotFrom<typeof mqttMachine>

const selectIsSending = (snapshot: Snapshot) => snapshot.matches('sending')

/** The connection to the MQTT broker and the messages to it, with a test. */
export function Mqtt({ actor }: { actor: ActorRefFrom<typeof mqttMachine> }) {
  const { t } = useLingui()
  const { list, tested, apiError } = useSelector(actor, selectContext)
  const isSending = useSelector(actor, selectIsSending)
  const { value, apiError: listError } = useSelector(list, ({ context }) => context)
  return (
    <Panel
      title="MQTT"
      actions={
        <Button
          icon={<Send size={16} aria-hidden="true" />}
          busy={isSending}
          onClick={() => actor.send({ type: 'test.requested' })}
          aria-label={t`Send a test by MQTT`}
        >
          {t`Send a test`}
        </Button>
      }
    >
      <div role="status">
        <TestReport tested={tested} apiError={apiError} />
      </div>
      <Resource value={value} apiError={listError} onRetry={() => list.send({ type: 'resource.retried' })}>
        {(page) => (
          <>
            <Connection connection={page.connection} />
            <DeliveryTable
              label={t`Messages by MQTT`}
              page={page}
              onPage={(query) => list.send({ type: 'query.changed', query })}
              columns={[
                { id: 'topic', label: t`Topic`, render: Topic },
                { id: 'payload', label: t`Message`, render: Payload },
                { id: 'attempts', label: t`Attempts`, render: ({ attempts }) => attempts, isFigure: true },
              ]}
            />
          </>
        )}
      </Resource>
    </Panel>
  )
}

function TestReport({ tested, apiError }: Pick<Snapshot['context'], 'tested' | 'apiError'>) {
  const { i18n } = useLingui()
  const failure = useFailure()
  if (apiError !== null) {
    const { message, code } = apiErrorText(apiError.code)
    return <NotSent words={`${i18n._(message)} ${code}`.trim()} />
  }
  if (tested === null) return null
  if (!tested.sent) return <NotSent words={failure(tested.failureReason)} />
  const { topic } = tested
  return (
    <p className={styles.good}>
      <CircleCheck size={16} aria-hidden="true" /> <Trans>The broker received the test: {topic}</Trans>
    </p>
  )
}

function NotSent({ words }: { words: string }) {
  return (
    <p className={styles.apiError}>
      <CircleAlert size={16} aria-hidden="true" /> <Trans>Not sent: {words}</Trans>
    </p>
  )
}

function Connection({ connection: { address, connected, time, failureReason } }: Pick<MqttDeliveries, 'connection'>) {
  const failure = useFailure()
  const since = time === undefined ? '' : formatMoment(time)
  const reason = failure(failureReason)
  if (connected) {
    return (
      <p className={styles.muted}>
        <Trans>
          Connected to {address} since {since}
        </Trans>
      </p>
    )
  }
  if (failureReason === '') {
    return (
      <p className={styles.muted}>
        <Trans>Connecting to {address}…</Trans>
      </p>
    )
  }
  return (
    <p className={styles.apiError}>
      <CircleAlert size={16} aria-hidden="true" />{' '}
      <Trans>
        Not connected to {address} since {since}: {reason}. The server tries again every few seconds.
      </Trans>
    </p>
  )
}

const Topic = ({ topic }: MqttDelivery) => <span className={styles.address}>{topic}</span>

function Payload({ payload, retained }: MqttDelivery) {
  if (payload === '') {
    return (
      <span className={styles.muted}>
        <Trans>Removed</Trans>
      </span>
    )
  }
  return (
    <span>
      <code className={styles.payload}>{payload}</code>
      {retained && (
        <span className={styles.muted}>
          {' '}
          <Trans>retained</Trans>
        </span>
      )}
    </span>
  )
}
