import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import type { ActorRefFrom } from 'xstate'
import type { AlertDelivery, ReportedItem } from '../../api/contract/alerts.ts'
import type { deliveriesMachine } from '../../machines/alerts/alerts.machine.ts'
import { useLabelNames } from '../events/use-label-names.ts'
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

/** The names of what a message is about: of cameras, unless one is named before them, labels, nodes and folders. */
function useSubjects({ items, streamName }: AlertDelivery): readonly string[] {
  const { nameOf } = useLabelNames()
  const subjectOf = ({ label = '', streamId, streamName: name, nodeName, volume }: ReportedItem) =>
    [nameOf(label), streamName === '' ? name || streamId : '', nodeName, volume].filter(Boolean).join(': ')
  return [...new Set(items.map(subjectOf))].filter((subject) => subject !== '')
}

function About({ delivery }: { delivery: AlertDelivery }) {
  const { t } = useLingui()
  const words = useWords()
  const { on, items, total, streamName } = delivery
  const subjects = useSubjects(delivery)
  const hidden = total - items.length
  const what = on.map((event) => words(eventWords, event)).join(' · ')
  const about = items.length > 0 && items.every(({ over }) => over === true) ? t`Resolved: ${what}` : what
  return (
    <>
      {streamName === '' ? about : `${streamName}: ${about}`}
      {total > 1 && (
        <>
          {' '}
          (<Trans>{total} in total</Trans>)
        </>
      )}
      {subjects.length > 0 && (
        <div className={styles.muted}>
          {subjects.join(', ')}
          {hidden > 0 && (
            <>
              {' '}
              <Plural value={hidden} one="and # more" other="and # more" />
            </>
          )}
        </div>
      )}
    </>
  )
}
