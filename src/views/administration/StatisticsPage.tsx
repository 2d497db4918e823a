import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { ChartSpline } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { SystemStats } from '../../api/contract/system.ts'
import { formatBytes } from '../../i18n/bytes.ts'
import { formatNumber } from '../../i18n/formats.ts'
import type { statisticsMachine } from '../../machines/administration/statistics.machine.ts'
import { SelectField } from '../ui/Field.tsx'
import { Page, Panel } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { StatePanel } from '../ui/State.tsx'
import { SeriesChart } from './SeriesChart.tsx'
import styles from './Administration.module.css'

const selectGauges = ({ context }: SnapshotFrom<typeof statisticsMachine>) => context.gauges
const selectSeries = ({ context }: SnapshotFrom<typeof statisticsMachine>) => context.series

export function StatisticsPage({ actor }: { actor: ActorRefFrom<typeof statisticsMachine> }) {
  const { t } = useLingui()
  const gauges = useSelector(actor, selectGauges)
  const series = useSelector(actor, selectSeries)
  const now = useSelector(gauges, ({ context }) => context)
  const past = useSelector(series, ({ context }) => context)
  return (
    <Page title={t`Statistics`}>
      <Resource value={now.value} refusal={now.refusal} onRetry={() => gauges.send({ type: 'resource.retried' })}>
        {(stats) => <Gauges {...stats} />}
      </Resource>
      <div className={styles.row}>
        <SelectField
          label={t`Period`}
          value={String(past.query.hours)}
          options={[
            { value: '1', label: t`Last hour` },
            { value: '6', label: t`Last 6 hours` },
            { value: '24', label: t`Last 24 hours` },
            { value: '168', label: t`Last 7 days` },
          ]}
          onChange={(hours) => series.send({ type: 'query.changed', query: { hours: Number(hours) } })}
        />
      </div>
      <Resource value={past.value} refusal={past.refusal} onRetry={() => series.send({ type: 'resource.retried' })}>
        {({ series: shown, from, to }) =>
          shown.length === 0 ? (
            <StatePanel icon={<ChartSpline size={20} />} title={t`Nothing measured yet`}>
              <Trans>The first figures come within a minute.</Trans>
            </StatePanel>
          ) : (
            <div className={styles.cards}>
              {shown.map((one) => (
                <Panel key={one.name} title={one.name}>
                  <SeriesChart series={one} from={from} to={to} />
                </Panel>
              ))}
            </div>
          )
        }
      </Resource>
    </Page>
  )
}

function Gauges({ cpuPercent, memoryUsedBytes, memoryTotalBytes, disk, streams, viewers, uptimeSeconds }: SystemStats) {
  const { t } = useLingui()
  const share = (used: number, total: number) => (total > 0 ? (100 * used) / total : 0)
  const hours = Math.floor(uptimeSeconds / 3600)
  const gauges = [
    { name: t`Processor`, value: `${formatNumber(cpuPercent, { maximumFractionDigits: 0 })} %`, percent: cpuPercent },
    { name: t`Memory`, value: formatBytes(memoryUsedBytes), note: formatBytes(memoryTotalBytes), percent: share(memoryUsedBytes, memoryTotalBytes) },
    { name: t`Disk`, value: formatBytes(disk.usedBytes), note: formatBytes(disk.totalBytes), percent: share(disk.usedBytes, disk.totalBytes) },
    { name: t`Streams running`, value: formatNumber(streams.running), note: formatNumber(streams.total), percent: share(streams.running, streams.total) },
    { name: t`Viewers`, value: formatNumber(viewers) },
    { name: t`Running for`, value: hours < 48 ? t`${formatNumber(hours)} h` : t`${formatNumber(Math.floor(hours / 24))} d` },
  ]
  return (
    <div className={styles.gauges}>
      {gauges.map(({ name, value, note, percent }) => (
        <div key={name} className={styles.gauge}>
          <span>{name}</span>
          <strong>{value}</strong>
          <span>{note === undefined ? ' ' : t`of ${note}`}</span>
          {percent !== undefined && (
            <div className={styles.bar} aria-hidden="true">
              <i style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
            </div>
          )}
        </div>
      ))}
    </div>
  )
}
