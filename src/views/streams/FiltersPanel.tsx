import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { formatNumber } from '../../i18n/formats.ts'
import { countsOf } from '../../machines/streams/grouping.ts'
import { type StreamsRef, selectListing, selectView } from '../../machines/streams/streams.selectors.ts'
import { StatusMark } from './StatusMark.tsx'
import styles from './FiltersPanel.module.css'

/** Sorting, statuses and tags of the list. The counts cover the streams loaded so far. */
export function FiltersPanel({ actor }: { actor: StreamsRef }) {
  const { t } = useLingui()
  const { sortType, searchingValues } = useSelector(actor, selectView)
  const listing = useSelector(actor, selectListing)
  const counts = listing === null ? null : countsOf(listing)
  const orders = [
    { id: 'date', label: t`Date added` },
    { id: 'name', label: t`Name` },
    { id: 'status', label: t`Status` },
  ] as const
  return (
    <div className={styles.panel}>
      <fieldset className={styles.section}>
        <legend>{t`Sort by`}</legend>
        {orders.map(({ id, label }) => (
          <label key={id} className={styles.choice}>
            <input
              type="radio"
              name="sort"
              checked={sortType === id}
              onChange={() => actor.send({ type: 'sort.chosen', sortType: id })}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {counts !== null && counts.statuses.length > 0 && (
        <section className={styles.section}>
          <h3>{t`Status`}</h3>
          <ul>
            {counts.statuses.map(({ status, count }) => (
              <li key={status} className={styles.row}>
                <StatusMark status={status} />
                <span className={styles.figure}>{formatNumber(count)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {counts !== null && (
        <section className={styles.section}>
          <h3>{t`Tags`}</h3>
          {counts.tags.length === 0 ? (
            <p className={styles.note}>{t`No tags`}</p>
          ) : (
            <ul>
              {counts.tags.slice(0, 100).map(({ tag, count }) => {
                const isChosen = searchingValues.includes(tag)
                return (
                  <li key={tag}>
                    <button
                      type="button"
                      className={styles.tag}
                      title={tag}
                      aria-pressed={isChosen}
                      onClick={() => actor.send({ type: isChosen ? 'search.removed' : 'search.added', value: tag })}
                    >
                      <span>{tag}</span>
                      <span className={styles.figure}>{formatNumber(count)}</span>
                    </button>
                  </li>
                )
              })}
            </ul>
          )}
        </section>
      )}
      {listing !== null && counts !== null && counts.known < listing.total && (
        <p className={styles.note}>
          <Trans>
            Counted in the {formatNumber(counts.known)} streams loaded so far, of {formatNumber(listing.total)}.
          </Trans>
        </p>
      )}
    </div>
  )
}
