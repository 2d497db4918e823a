import { useLingui } from '@lingui/react/macro'
import { formatNumber } from '../../i18n/formats.ts'
import styles from './Exports.module.css'

/** `share`: from 0 to 1. */
export function Progress({ share }: { share: number }) {
  const { t } = useLingui()
  return (
    <p className={styles.progress}>
      <progress aria-label={t`Progress`} value={share} max={1} />
      <span className={styles.figures}>{formatNumber(share, { style: 'percent' })}</span>
    </p>
  )
}
