import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import type { ActorRefFrom } from 'xstate'
import type { AlertDelivery } from '../../api/contract/alerts.ts'
import { formatDateTime } from '../../i18n/formats.ts'
import type { deliveriesMachine } from '../../machines/alerts/alerts.machine.ts'
import { Panel } from '../ui/Page.tsx'
import { Pages } from '../ui/Pages.tsx'
import { Resource } from '../ui/Resource.tsx'
import { Table } from '../ui/Table.tsx'
import { addressWords, channels, events, useFailure, useWords } from './words.ts'
import styles from './Alerts.module.css'

/** The messages that were sent, failed or are tried again. */
export function Deliveries({ deliveries }: { deliveries: ActorRefFrom<typeof deliveriesMachine> }) {
  const { t } = useLingui()
  const words = useWords()
  const { value, apiError } = useSelector(deliveries, ({ context }) => context)
  return (
    <Panel title={t`Deliveries`}>
      <Resource value={value} apiError={apiError} onRetry={() => deliveries.send({ type: 'resource.retried' })}>
        {({ items, page, pageSize, total }) =>
          items.length === 0 ? (
            <p className={styles.muted}>
              <Trans>Nothing has been sent yet.</Trans>
            </p>
          ) : (
            <>
              <Table
                label={t`Deliveries`}
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { id: 'time', label: t`Time`, render: Time },
                  { id: 'alert', label: t`Alert`, render: ({ alertName, alertId }) => alertName || alertId },
                  { id: 'about', label: t`What happened`, render: (delivery) => <About delivery={delivery} /> },
                  {
                    id: 'to',
                    label: t`Recipient`,
                    render: ({ kind, address }) => (
                      <span className={styles.address}>
                        {words(channels, kind)} {addressWords(kind, address)}
                      </span>
                    ),
                  },
                  { id: 'state', label: t`State`, render: (delivery) => <State delivery={delivery} /> },
                ]}
              />
              {total > pageSize && (
                <Pages
                  page={page}
                  last={Math.ceil(total / pageSize)}
                  hasMore={false}
                  onPage={(query) => deliveries.send({ type: 'query.changed', query })}
                />
              )}
            </>
          )
        }
      </Resource>
    </Panel>
  )
}

const Time = ({ createTime }: AlertDelivery) =>
  createTime === undefined ? (
    ''
  ) : (
    <time dateTime={new Date(createTime).toISOString()}>{formatDateTime(createTime)}</time>
  )

function About({ delivery: { on, total, streamName } }: { delivery: AlertDelivery }) {
  const words = useWords()
  const about = on.map((event) => words(events, event)).join(' · ')
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

function State({ delivery: { status, attempts, nextTime, failureReason } }: { delivery: AlertDelivery }) {
  const failure = useFailure()
  const reason = failure(failureReason)
  const next = nextTime === undefined ? '' : formatDateTime(nextTime, { timeStyle: 'medium' })
  if (status === 'sent') {
    return (
      <span className={styles.good}>
        <Trans>Sent</Trans>
      </span>
    )
  }
  if (status === 'failed') {
    return (
      <span className={styles.apiError}>
        <Trans>Failed: {reason}</Trans>
      </span>
    )
  }
  if (attempts === 0) return <Trans>Waiting</Trans>
  return (
    <span>
      <Trans>
        Retry at {next}: {reason}
      </Trans>
    </span>
  )
}
