import { useLingui } from '@lingui/react/macro'
import { Info, LoaderCircle, Pause, Play } from 'lucide-react'
import { Link } from 'wouter'
import { pathTo } from '../../machines/app/routes.ts'
import { hasAvailableStatus } from '../../machines/streams/listing.ts'
import type { EntryProps } from './list-props.ts'
import { usePause } from './PauseDialog.tsx'
import styles from './StreamActions.module.css'

type StreamActionsProps = Pick<EntryProps, 'actor' | 'stream' | 'entry' | 'isCurrent' | 'canAdmin' | 'isChanging'> & {
  isOnPicture?: boolean
}

export function StreamActions({
  actor,
  stream,
  canAdmin,
  isChanging,
  entry,
  isCurrent,
  isOnPicture = false,
}: StreamActionsProps) {
  const [describedBy, tabIndex] = [`name-${entry}`, isCurrent ? 0 : -1]
  const { t } = useLingui()
  const pause = usePause()
  const { uid, status } = stream
  const canPause = hasAvailableStatus({ status }) || status === 'failed'
  const label = canPause ? t`Pause` : t`Resume`
  return (
    <span className={`${styles.actions} ${isOnPicture ? styles.onPicture : ''}`} data-busy={isChanging || undefined}>
      <Link
        href={pathTo('streamInfo', { uid })}
        className={styles.action}
        aria-label={t`Info`}
        title={t`Info`}
        aria-describedby={describedBy}
        tabIndex={tabIndex}
      >
        <Info size={16} aria-hidden="true" />
      </Link>
      {canAdmin && (
        <button
          type="button"
          className={styles.action}
          aria-label={label}
          title={label}
          aria-describedby={describedBy}
          aria-busy={isChanging || undefined}
          tabIndex={tabIndex}
          onClick={() => (canPause ? pause(stream) : actor.send({ type: 'stream.resumeRequested', uid }))}
        >
          {isChanging ? (
            <LoaderCircle size={16} aria-hidden="true" className={styles.busy} />
          ) : canPause ? (
            <Pause size={16} aria-hidden="true" />
          ) : (
            <Play size={16} aria-hidden="true" />
          )}
        </button>
      )}
    </span>
  )
}
