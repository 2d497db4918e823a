import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Download, Trash2, X } from 'lucide-react'
import { formatBytes } from '../../i18n/bytes.ts'
import { formatMoment } from '../../i18n/formats.ts'
import { isInProgress, type ListedExport } from '../../machines/exports/exports.machine.ts'
import { Button, DownloadLink } from '../ui/Button.tsx'
import { Progress } from './Progress.tsx'
import { reasons } from './export-words.ts'
import styles from './Exports.module.css'

interface ExportItemProps {
  item: ListedExport
  zone: string
  onDelete: () => void
}

const maxShownItems = 4

export function ExportItem({ item, zone, onDelete }: ExportItemProps) {
  const { t } = useLingui()
  const { status, items, note, downloadUrl, login } = item
  const isUnfinished = isInProgress(item)
  const names = [...new Set(items.map(({ streamName, streamId }) => streamName || streamId))].join(', ')
  const hidden = items.length - maxShownItems
  return (
    <li className={styles.item} aria-label={note || names}>
      <div className={styles.what}>
        {note !== '' && <strong>{note}</strong>}
        <ul className={styles.ranges}>
          {items.slice(0, maxShownItems).map(({ streamId, streamName, startTime, endTime }, index) => (
            <li key={`${index} ${streamId}`}>
              <span>{streamName || streamId}</span>{' '}
              <span className={styles.figures}>
                {formatMoment(startTime, zone)} – {formatMoment(endTime, zone)}
              </span>
            </li>
          ))}
          {hidden > 0 && (
            <li>
              <Plural value={hidden} one="and # more" other="and # more" />
            </li>
          )}
        </ul>
        <State item={item} zone={zone} />
        {login !== '' && (
          <p className={styles.muted}>
            <Trans>Requested by {login}</Trans>
          </p>
        )}
      </div>
      <div className={styles.actions}>
        {status === 'ready' && (
          <DownloadLink href={downloadUrl} icon={<Download size={16} aria-hidden="true" />}>
            {t`Download`}
          </DownloadLink>
        )}
        <Button
          icon={isUnfinished ? <X size={16} aria-hidden="true" /> : <Trash2 size={16} aria-hidden="true" />}
          onClick={onDelete}
        >
          {isUnfinished ? t`Cancel` : t`Delete`}
        </Button>
      </div>
    </li>
  )
}

function State({ item, zone }: { item: ListedExport; zone: string }) {
  const { i18n } = useLingui()
  const { status, progress, bytes, expireTime, failureReason } = item
  const size = formatBytes(bytes)
  const until = expireTime === undefined ? '' : formatMoment(expireTime, zone)
  if (status === 'ready') {
    return (
      <p className={styles.figures}>
        {until === '' ? (
          <Trans>Ready, {size}</Trans>
        ) : (
          <Trans>
            Ready, {size}, kept until {until}
          </Trans>
        )}
      </p>
    )
  }
  if (status === 'failed') {
    const reason = reasons[failureReason]
    const words = reason === undefined ? failureReason : i18n._(reason)
    return (
      <p className={styles.apiError}>
        <Trans>Failed: {words}</Trans>
      </p>
    )
  }
  if (status !== 'running') {
    return (
      <p>
        <Trans>Waiting</Trans>
      </p>
    )
  }
  return <Progress fraction={progress} />
}
