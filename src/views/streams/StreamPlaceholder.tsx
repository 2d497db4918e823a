import { useLingui } from '@lingui/react/macro'
import { Skeleton } from '../ui/State.tsx'
import styles from './StreamPlaceholder.module.css'

/** Stands for a stream that isn't loaded yet; the arrow keys can focus it. */
export function StreamPlaceholder({
  entry,
  width = '100%',
  height = '100%',
}: {
  entry: number
  width?: string
  height?: string
}) {
  const { t } = useLingui()
  return (
    <span
      className={styles.waiting}
      style={{ width, height }}
      role="img"
      aria-label={t`Loading…`}
      tabIndex={-1}
      data-entry={entry}
      data-waiting=""
    >
      <Skeleton height="100%" />
    </span>
  )
}
