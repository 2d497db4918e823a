import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert } from 'lucide-react'
import { apiErrorText } from '../../i18n/errors.ts'
import { type StreamsRef, selectListing, selectListError } from '../../machines/streams/streams.selectors.ts'
import { Button } from '../ui/Button.tsx'
import styles from './StreamsPage.module.css'

/** The error of a refresh, above the list that stays. Without a list the page shows `FailedList` instead. */
export function ListError({ actor }: { actor: StreamsRef }) {
  const { t, i18n } = useLingui()
  const apiError = useSelector(actor, selectListError)
  const hasList = useSelector(actor, (snapshot) => selectListing(snapshot) !== null)
  if (apiError === null || !hasList) return null
  const { message, code } = apiErrorText(apiError.code)
  return (
    <div className={styles.trouble} role="status">
      <CircleAlert size={16} aria-hidden="true" />
      <p>
        <strong>{i18n._(message)}</strong>
        {code !== '' && <code> {code}</code>} <Trans>The list may be out of date.</Trans>
      </p>
      <Button onClick={() => actor.send({ type: 'list.retried' })}>{t`Retry`}</Button>
    </div>
  )
}
