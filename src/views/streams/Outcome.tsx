import { useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import { apiErrorText } from '../../i18n/errors.ts'
import type { BulkOutcome } from '../../machines/streams/bulk.events.ts'
import styles from './Outcome.module.css'

/** What became of a stream in the last job; `open` while it is to be done. */
export type Shown = BulkOutcome | 'open' | undefined

export function Outcome({ outcome }: { outcome: Exclude<Shown, undefined> }) {
  const { t, i18n } = useLingui()
  if (outcome === 'open') {
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
    case 'left':
      return (
        <span className={styles.outcome}>
          <CircleDashed size={16} aria-hidden="true" />
          {t`Not done`}
        </span>
      )
    case 'refused': {
      const { message, code } = apiErrorText(outcome.apiError.code)
      const words = `${i18n._(message)} ${code}`.trim()
      return (
        <span className={styles.outcome} data-kind="refused" title={words}>
          <CircleAlert size={16} aria-hidden="true" />
          <span>{words}</span>
        </span>
      )
    }
  }
}
