import { useLingui } from '@lingui/react/macro'
import { formatPercent } from '../../i18n/formats.ts'
import styles from './Exports.module.css'

/** `fraction`: from 0 to 1. */
export function Progress({ fraction }: { fraction: number }) {
  const { t } = useLingui()
  return (
    <p className={styles.progress}>
      <progress aria-label={t`Progress`} value={fraction} max={1} />
      <span className={styles.figures}>{formatPercent(fraction)}</span>
    </p>
  )
}
