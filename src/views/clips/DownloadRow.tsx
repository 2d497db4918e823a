import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { apiErrorText } from '../../i18n/errors.ts'
import { formatBytes } from '../../i18n/bytes.ts'
import type { Download } from '../../machines/clips/clips.machine.ts'
import { codecChangeOf } from '../../machines/clips/codec-change.ts'
import { localText } from '../../machines/player/local-text.ts'
import { Button } from '../ui/Button.tsx'
import styles from './Tray.module.css'

interface DownloadRowProps {
  download: Download
  onCancel: () => void
  onRetry: () => void
  onDismiss: () => void
}

export function DownloadRow({ download, onCancel, onRetry, onDismiss }: DownloadRowProps) {
  const { t } = useLingui()
  const { name, from, to, zone, part, parts, progress } = download
  const isOpen = progress.kind === 'waiting' || progress.kind === 'downloading'
  const isRetriable = progress.kind === 'refused' || progress.kind === 'cancelled'
  const title = parts === 1 ? name : t`${name}, part ${part} of ${parts}`
  return (
    <li className={styles.row} data-kind={progress.kind} aria-label={title}>
      <p className={styles.name}>{title}</p>
      <p className={styles.span}>{spanText(from, to, zone)}</p>
      {progress.kind === 'downloading' && <Bar title={title} bytes={progress.bytes} total={progress.total} />}
      <div className={styles.foot}>
        <State progress={progress} zone={zone} />
        {isRetriable && <Button variant="quiet" onClick={onRetry}>{t`Retry`}</Button>}
        {/* One element for both, so that it keeps the focus. */}
        <Button variant="quiet" onClick={isOpen ? onCancel : onDismiss}>
          {isOpen ? t`Cancel` : t`Dismiss`}
        </Button>
      </div>
    </li>
  )
}

/** The start and the end; the end's date only if it differs. */
function spanText(from: number, to: number, zone: string): string {
  const [start, end] = [localText(from, zone), localText(to, zone)]
  return `${start} – ${start.slice(0, 10) === end.slice(0, 10) ? end.slice(11) : end}`
}

function Bar({ title, bytes, total }: { title: string; bytes: number; total: number | null }) {
  const received = formatBytes(bytes)
  const percent = total === null ? null : Math.min(100, Math.floor((bytes / total) * 100))
  return (
    <div
      role="progressbar"
      aria-label={title}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent === null ? {} : { 'aria-valuenow': percent })}
      aria-valuetext={received}
      className={styles.bar}
    >
      <span
        className={styles.filled}
        data-endless={percent === null || undefined}
        style={percent === null ? {} : { inlineSize: `${percent}%` }}
      />
    </div>
  )
}

function State({ progress, zone }: Pick<Download, 'progress' | 'zone'>) {
  const { i18n, t } = useLingui()
  switch (progress.kind) {
    case 'waiting':
      return (
        <p className={styles.state}>
          <Trans>Waiting</Trans>
        </p>
      )
    case 'downloading': {
      const received = formatBytes(progress.bytes)
      if (progress.bytes === 0)
        return (
          <p className={styles.state}>
            <Trans>Starting…</Trans>
          </p>
        )
      if (progress.total === null)
        return (
          <p className={styles.state}>
            <Trans>{received} so far</Trans>
          </p>
        )
      const total = formatBytes(progress.total)
      return (
        <p className={styles.state}>
          <Trans>
            {received} of {total}
          </Trans>
        </p>
      )
    }
    case 'saved': {
      const size = formatBytes(progress.bytes)
      return (
        <p className={styles.state}>
          <CircleCheck size={16} aria-hidden="true" />
          <span>
            <Trans>Saved, {size}</Trans>
          </span>
        </p>
      )
    }
    case 'cancelled':
      return (
        <p className={styles.state}>
          <Trans>Cancelled</Trans>
        </p>
      )
    case 'refused': {
      const { message, code } = apiErrorText(progress.apiError.code)
      const change = codecChangeOf(progress.apiError)
      const time = change === null ? '' : localText(change, zone)
      const words =
        change !== null
          ? t`The camera's video format changes at ${time}. Download the parts before and after it separately.`
          : progress.apiError.code === 'NotFound'
            ? t`There is no recording for this period`
            : i18n._(message)
      return (
        <p className={styles.state}>
          <CircleAlert size={16} aria-hidden="true" />
          <span>
            {words} {code}
          </span>
        </p>
      )
    }
  }
}
