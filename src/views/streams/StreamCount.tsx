import { useSelector } from '@xstate/react'
import { Plural, useLingui } from '@lingui/react/macro'
import {
  type StreamsRef,
  selectHasFailed,
  selectIsOutdated,
  selectListing,
  selectView,
} from '../../machines/streams/streams.selectors.ts'
import styles from './StreamsPage.module.css'

/** The number of streams in the list, announced when it changes. */
export function StreamCount({ actor }: { actor: StreamsRef }) {
  const { t } = useLingui()
  const listing = useSelector(actor, selectListing)
  const isOutdated = useSelector(actor, selectIsOutdated)
  const { searchingValues } = useSelector(actor, selectView)
  const hasFailed = useSelector(actor, selectHasFailed)
  return (
    <p className={styles.count} role="status">
      {listing === null || isOutdated ? (
        !hasFailed && t`Loading…`
      ) : searchingValues.length > 0 ? (
        <Plural value={listing.total} one="# stream found" other="# streams found" />
      ) : (
        <Plural value={listing.total} one="# stream" other="# streams" />
      )}
    </p>
  )
}
