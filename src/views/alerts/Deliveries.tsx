import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import type { ActorRefFrom } from 'xstate'
import type { AlertDelivery } from '../../api/contract/alerts.ts'
import type { deliveriesMachine } from '../../machines/alerts/alerts.machine.ts'
import { Panel } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { DeliveryTable } from './DeliveryTable.tsx'
import { addressWords, channelWords, eventWords, useWords } from './words.ts'
import styles from './Alerts.module.css'

/** The messages that were sent, failed or are tried again. */
export function Deliveries({ deliveries }: { deliveries: ActorRefFrom<typeof deliveriesMachine> }) {
  const { t } = useLingui()
  const words = useWords()
  const { value, apiError } = useSelector(deliveries, ({ context }) => context)
  return (
    <Panel title={t`Deliveries`}>
      <Resource value={value} apiError={apiError} onRetry={() => deliveries.send({ type: 'resource.retried' })}>
        {(page) => (
          <DeliveryTable
            label={t`Deliveries`}
            page={page}
            onPage={(query) => deliveries.send({ type: 'query.changed', query })}
            columns={[
              { id: 'alert', label: t`Alert`, render: ({ alertName, alertId }) => alertName || alertId },
              { id: 'about', label: t`What happened`, render: (delivery) => <About delivery={delivery} /> },
              {
                id: 'to',
                label: t`Recipient`,
                render: ({ kind, address }) => (
                  <span className={styles.address}>
                    {words(channelWords, kind)} {addressWords(kind, address)}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Resource>
    </Panel>
  )
}

function About({ delivery: { on, total, streamName } }: { delivery: AlertDelivery }) {
  const words = useWords()
  const about = on.map((event) => words(eventWords, event)).join(' · ')
  return (
    <>
      {streamName === '' ? about : `${streamName}: ${about}`}
      {total > 1 && (
        <>
          {' '}
          (<Trans>{total} in total</Trans>)
        </>
      )}
    </>
  )
}
