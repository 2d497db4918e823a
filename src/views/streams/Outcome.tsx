import { useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck, CircleDashed, CircleMinus } from 'lucide-react'
import { apiErrorText } from '../../i18n/errors.ts'
import { reasonsIn } from '../../machines/stream-pages/locked-reasons.ts'
import type { BulkOutcome } from '../../machines/streams/bulk.events.ts'
import styles from './Outcome.module.css'

/** The result of the last job for a stream: `waiting` until there is one, undefined for a stream outside the job. */
export type StreamOutcome = BulkOutcome | 'waiting' | undefined

export function Outcome({ outcome }: { outcome: Exclude<StreamOutcome, undefined> }) {
  const { t, i18n } = useLingui()
  if (outcome === 'waiting') {
    return (
      <span className={styles.outcome}>
        <CircleDashed size={16} aria-hidden="true" />
        {t`Waiting`}
      </span>
    )
  }
  switch (outcome.kind) {
    case 'done':
      return (
        <span className={styles.outcome} data-kind="done">
          <CircleCheck size={16} aria-hidden="true" />
          {t`Done`}
        </span>
      )
    case 'skipped': {
      const words = t`Skipped: its sources take no login`
      return (
        <span className={styles.outcome} title={words}>
          <CircleMinus size={16} aria-hidden="true" />
          <span>{words}</span>
        </span>
      )
    }
    case 'left':
      return (
        <span className={styles.outcome}>
          <CircleDashed size={16} aria-hidden="true" />
          {t`Not done`}
        </span>
      )
    case 'refused': {
      const { message, code } = apiErrorText(outcome.apiError.code)
      const reasons = reasonsIn(outcome.apiError.details).join(', ')
      const words = reasons === '' ? `${i18n._(message)} ${code}`.trim() : t`Locked: ${reasons}`
      return (
        <span className={styles.outcome} data-kind="refused" title={words}>
          <CircleAlert size={16} aria-hidden="true" />
          <span>{words}</span>
        </span>
      )
    }
  }
}
