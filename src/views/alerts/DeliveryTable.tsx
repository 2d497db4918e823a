import { Trans, useLingui } from '@lingui/react/macro'
import { formatClock, formatMoment } from '../../i18n/formats.ts'
import { Pages } from '../ui/Pages.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import { useFailure } from './words.ts'
import styles from './Alerts.module.css'

interface Delivery {
  id: string
  createTime?: number | undefined
  status: string
  attempts: number
  nextTime?: number | undefined
  failureReason: string
}

interface DeliveryTableProps<Row> {
  label: string
  page: { items: readonly Row[]; page: number; pageSize: number; total: number }
  /** Between the time and the state. */
  columns: readonly Column<Row>[]
  onPage: (page: number) => void
}

/** Messages, newest first, with what became of each. */
export function DeliveryTable<Row extends Delivery>({
  label,
  page: { items, page, pageSize, total },
  columns,
  onPage,
}: DeliveryTableProps<Row>) {
  const { t } = useLingui()
  if (items.length === 0 && page <= 1) {
    return (
      <p className={styles.muted}>
        <Trans>Nothing has been sent yet.</Trans>
      </p>
    )
  }
  return (
    <>
      <Table
        label={label}
        rows={items}
        keyOf={({ id }) => id}
        columns={[
          { id: 'time', label: t`Time`, render: Time },
          ...columns,
          { id: 'state', label: t`State`, render: (delivery) => <State delivery={delivery} /> },
        ]}
      />
      {(total > pageSize || page > 1) && (
        <Pages page={page} last={Math.ceil(total / pageSize)} hasMore={false} onPage={onPage} />
      )}
    </>
  )
}

const Time = ({ createTime }: Delivery) =>
  createTime === undefined ? '' : <time dateTime={new Date(createTime).toISOString()}>{formatMoment(createTime)}</time>

function State({ delivery: { status, attempts, nextTime, failureReason } }: { delivery: Delivery }) {
  const failure = useFailure()
  const reason = failure(failureReason)
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
  if (nextTime === undefined && reason !== '') return <Trans>Waiting: {reason}</Trans>
  if (nextTime === undefined || attempts === 0) return <Trans>Waiting</Trans>
  const next = formatClock(nextTime)
  return (
    <span>
      <Trans>
        Retry at {next}: {reason}
      </Trans>
    </span>
  )
}
