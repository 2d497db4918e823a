import { useLingui } from '@lingui/react/macro'
import { formatNumber } from '../../i18n/formats.ts'
import styles from './Exports.module.css'

/** `fraction`: from 0 to 1. */
export function Progress({ fraction }: { fraction: number }) {
  const { t } = useLingui()
  return (
    <p className={styles.progress}>
      <progress aria-label={t`Progress`} value={fraction} max={1} />
      <span className={styles.figures}>{formatNumber(fraction, { style: 'percent' })}</span>
    </p>
  )
}
