import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { CircleAlert, Lock } from 'lucide-react'
import { apiErrorText } from '../../i18n/errors.ts'
import {
  selectForbiddenCode,
  selectIsFailing,
  selectIsLoading,
  selectIsSearching,
  type TimelineRef,
} from '../../machines/timeline/timeline.selectors.ts'
import styles from './Timeline.module.css'

export function TimelineNotes({ actor }: { actor: TimelineRef }) {
  const { t, i18n } = useLingui()
  const forbidden = useSelector(actor, selectForbiddenCode)
  const isFailing = useSelector(actor, selectIsFailing)
  const isLoading = useSelector(actor, selectIsLoading)
  const isSearching = useSelector(actor, selectIsSearching)
  return (
    <output className={styles.note}>
      {forbidden !== null && (
        <>
          <Lock size={14} aria-hidden="true" />
          {t`Archive: ${i18n._(apiErrorText(forbidden).message)}`}
        </>
      )}
      {forbidden === null && isFailing && (
        <>
          <CircleAlert size={14} aria-hidden="true" />
          {t`The archive is not responding; trying again`}
        </>
      )}
      {forbidden === null && !isFailing && isSearching && t`Looking for the next recording…`}
      {forbidden === null && !isFailing && !isSearching && isLoading && t`Loading the archive…`}
    </output>
  )
}
