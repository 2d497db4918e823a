import { Trans } from '@lingui/react/macro'
import styles from './Starting.module.css'

/** Before it is known who is here: nothing while that takes no time to speak of, then what is waited for. */
export function Starting() {
  return (
    <p role="status" className={styles.starting}>
      <span className={styles.mark} aria-hidden />
      <Trans>Waiting for the server…</Trans>
    </p>
  )
}
