import { useLingui } from '@lingui/react/macro'
import type { SystemStats } from '../../api/contract/system.ts'
import { formatBytes } from '../../i18n/bytes.ts'
import { formatNumber, formatPercent } from '../../i18n/formats.ts'
import styles from './Gauges.module.css'

/** Percent: fuller gauges are marked. */
const fullPercent = 90

export function Gauges({
  cpuPercent,
  memoryUsedBytes,
  memoryTotalBytes,
  disk,
  streams,
  viewers,
  uptimeSeconds,
}: SystemStats) {
  const { t } = useLingui()
  const percentOf = (used: number, total: number) => (total > 0 ? (100 * used) / total : 0)
  const minutes = Math.floor(uptimeSeconds / 60)
  const hours = Math.floor(minutes / 60)
  const uptime =
    hours < 1
      ? t`${formatNumber(minutes)} min`
      : hours < 48
        ? t`${formatNumber(hours)} h`
        : t`${formatNumber(Math.floor(hours / 24))} d`
  const gauges = [
    {
      name: t`Processor`,
      value: formatPercent(cpuPercent / 100),
      percent: cpuPercent,
      warns: true,
    },
    {
      name: t`Memory`,
      value: formatBytes(memoryUsedBytes),
      note: formatBytes(memoryTotalBytes),
      percent: percentOf(memoryUsedBytes, memoryTotalBytes),
      warns: true,
    },
    {
      name: t`Disk`,
      value: formatBytes(disk.usedBytes),
      note: formatBytes(disk.totalBytes),
      percent: percentOf(disk.usedBytes, disk.totalBytes),
      warns: true,
    },
    {
      name: t`Streams running`,
      value: formatNumber(streams.running),
      note: formatNumber(streams.total),
      percent: percentOf(streams.running, streams.total),
      warns: false,
    },
    { name: t`Viewers`, value: formatNumber(viewers) },
    { name: t`Running for`, value: uptime },
  ]
  return (
    <dl className={styles.gauges}>
      {gauges.map(({ name, value, note, percent, warns }) => (
        <div key={name} className={styles.gauge}>
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong> {note !== undefined && <span>{t`of ${note}`}</span>}
          </dd>
          {percent !== undefined && (
            <dd className={styles.bar} aria-hidden="true">
              <i
                style={{ width: `${Math.min(100, Math.max(0, percent))}%` }}
                data-full={warns && percent >= fullPercent}
              />
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
