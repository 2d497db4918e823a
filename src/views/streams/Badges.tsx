import { useLingui } from '@lingui/react/macro'
import { CircleSlash, Database, Zap } from 'lucide-react'
import type { Stream } from '../../api/contract/stream.ts'
import styles from './Badges.module.css'

/** The statuses in which nothing is recorded. */
const stopped: ReadonlySet<string> = new Set(['failed', 'paused'])

export function Badges({ stream: { status, live, archive } }: { stream: Stream }) {
  const { t } = useLingui()
  return (
    <span className={styles.badges}>
      {live.onDemand ? (
        <span className={styles.badge}>
          <Zap size={12} aria-hidden="true" />
          {t`On demand`}
        </span>
      ) : (
        status === 'running' && (
          <span className={styles.badge} data-live="">
            {t`Live`}
          </span>
        )
      )}
      {archive.isEnable && !stopped.has(status) && (
        <span className={styles.badge}>
          <Database size={12} aria-hidden="true" />
          {t`Archive on`}
        </span>
      )}
      {archive.isEnable && stopped.has(status) && (
        <span className={styles.badge} data-fault="">
          <CircleSlash size={12} aria-hidden="true" />
          {t`Not recording`}
        </span>
      )}
    </span>
  )
}
