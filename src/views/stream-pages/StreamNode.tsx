import { Trans, useLingui } from '@lingui/react/macro'
import type { Stream } from '../../api/contract/stream.ts'
import { formatMoment } from '../../i18n/formats.ts'
import { usePlacementReason } from '../administration/cluster-words.ts'
import styles from './InfoPage.module.css'

/** The node that records a stream, since when and why, if the server says so. */
export function StreamNode({ id: node, available, since, reason = '' }: Stream['node']) {
  const { t } = useLingui()
  const reasonOf = usePlacementReason()
  if (node === '') return <span className={styles.quiet}>{t`none`}</span>
  const time = since === undefined ? '' : formatMoment(since)
  return (
    <>
      {available ? node : t`${node}, not available`}
      {time !== '' && (
        <p className={styles.quiet}>
          <Trans>since {time}</Trans>
          {reason !== '' && `: ${reasonOf(reason)}`}
        </p>
      )}
    </>
  )
}
