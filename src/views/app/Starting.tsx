import { Trans } from '@lingui/react/macro'
import styles from './Starting.module.css'

/** Shown before the settings and the user are loaded; its style reveals it only after a delay. */
export function Starting() {
  return (
    <p role="status" className={styles.starting}>
      <span className={styles.mark} aria-hidden />
      <Trans>Waiting for the server…</Trans>
    </p>
  )
}
