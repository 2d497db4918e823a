import { Trans, useLingui } from '@lingui/react/macro'
import type { ClusterNode } from '../../api/contract/system.ts'
import { formatBytes } from '../../i18n/bytes.ts'
import { formatMoment, formatNumber, formatPercent } from '../../i18n/formats.ts'
import { useDuration } from '../ui/use-duration.ts'
import styles from './Administration.module.css'

/** From this percentage on, disks and processors are marked. */
const fullPercent = 90

export function Load({ percent }: { percent: number }) {
  const share = Math.min(100, Math.max(0, percent))
  return (
    <span className={styles.load}>
      {formatPercent(percent / 100)}
      <i aria-hidden="true" data-full={percent >= fullPercent}>
        <b style={{ width: `${share}%` }} />
      </i>
    </span>
  )
}

/** Recordings that only this node's disk has, and how long the oldest of them has waited. */
export function WaitingUpload({ spoolBytes, handInLagSeconds = 0 }: ClusterNode) {
  const { t } = useLingui()
  const lag = useDuration(handInLagSeconds)
  if (spoolBytes === undefined) return '–'
  if (spoolBytes === 0) return t`nothing`
  return (
    <span className={styles.stack}>
      {formatBytes(spoolBytes)}
      <span className={styles.aside}>
        <Trans>the oldest for {lag}</Trans>
      </span>
    </span>
  )
}

/** Beyond this offset, the node dates recordings by the database's clock. */
const skewedSeconds = 1

/** How far the node's clock is ahead of the database's. */
export function ClockOffset({ clockAheadSeconds }: ClusterNode) {
  if (clockAheadSeconds === undefined) return '–'
  const isSkewed = Math.abs(clockAheadSeconds) > skewedSeconds
  return (
    <span className={`${styles.state} ${styles.whole}`}>
      {isSkewed && <i className={styles.mark} data-tone="warn" aria-hidden="true" />}
      {formatNumber(clockAheadSeconds, {
        style: 'unit',
        unit: 'second',
        unitDisplay: 'short',
        signDisplay: 'exceptZero',
        maximumFractionDigits: 2,
      })}
    </span>
  )
}

export function LastContact({ lastBeatTime }: ClusterNode) {
  if (lastBeatTime === undefined) return null
  const time = formatMoment(lastBeatTime)
  return (
    <span className={styles.aside}>
      <Trans>last contact {time}</Trans>
    </span>
  )
}
