import { Trans } from '@lingui/react/macro'
import styles from './ClipDialog.module.css'

/** Says where a range is cut because its end is in the future. */
export function CutEnd({ at }: { at: string }) {
  return (
    <p className={styles.parts}>
      <Trans>The end is in the future: the video ends at {at}.</Trans>
    </p>
  )
}
