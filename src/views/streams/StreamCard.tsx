import { memo } from 'react'
import { MapPin } from 'lucide-react'
import { Link } from 'wouter'
import type { Stream } from '../../api/contract/stream.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { shownStatus } from '../../machines/stream/stream.selectors.ts'
import type { PreviewsRef } from '../../machines/streams/streams.selectors.ts'
import { Badges } from './Badges.tsx'
import { ChooseBox } from './ChooseBox.tsx'
import type { EntryProps } from './list-props.ts'
import { Outcome } from './Outcome.tsx'
import { Preview } from './Preview.tsx'
import { StatusMark } from './StatusMark.tsx'
import { StreamActions } from './StreamActions.tsx'
import { displayName, markerColour } from './stream-words.tsx'
import { Tags } from './Tags.tsx'
import styles from './StreamCard.module.css'

type CardProps = EntryProps & { previews: PreviewsRef | undefined }

export const StreamCard = memo(function StreamCard(props: CardProps) {
  const { previews, stream, entry, isCurrent, isChosen, outcome, hasActions } = props
  return (
    <article className={styles.card} data-chosen={isChosen || undefined}>
      <Preview previews={previews} stream={stream} />
      <span className={styles.badges}>
        <Badges stream={stream} />
      </span>
      <span className={styles.text}>
        <span className={styles.line}>
          <StreamLink stream={stream} entry={entry} isCurrent={isCurrent} />
          <StatusMark status={shownStatus(stream)} id={`status-${entry}`} />
        </span>
        <span className={styles.line}>
          {outcome === undefined ? <LocationAndTags stream={stream} /> : <Outcome outcome={outcome} />}
        </span>
      </span>
      {hasActions && (
        <span className={styles.actions}>
          <StreamActions {...props} isOnPicture />
          <ChooseBox {...props} />
        </span>
      )}
    </article>
  )
})

/** A row of the table on screens too narrow for columns. */
export const CompactCard = memo(function CompactCard(props: CardProps) {
  const { previews, stream, entry, isCurrent, isChosen, outcome } = props
  return (
    <article className={`${styles.card} ${styles.compact}`} data-chosen={isChosen || undefined}>
      <Preview previews={previews} stream={stream} />
      <span className={styles.text}>
        <span className={styles.line}>
          <StreamLink stream={stream} entry={entry} isCurrent={isCurrent} />
        </span>
        <span className={styles.line}>
          {outcome === undefined ? (
            <StatusMark status={shownStatus(stream)} id={`status-${entry}`} />
          ) : (
            <Outcome outcome={outcome} />
          )}
        </span>
        {stream.tags.length > 0 && (
          <span className={styles.line}>
            <Tags tags={stream.tags} maxShown={1} />
          </span>
        )}
      </span>
      <span className={styles.compactActions}>
        <StreamActions {...props} />
        <ChooseBox {...props} />
      </span>
    </article>
  )
})

function LocationAndTags({ stream: { location, tags } }: { stream: Stream }) {
  return (
    <>
      {location.name !== '' && (
        <span className={styles.location}>
          <MapPin size={12} aria-hidden="true" />
          <span title={location.name}>{location.name}</span>
        </span>
      )}
      <Tags tags={tags} maxShown={location.name === '' ? 2 : 1} />
    </>
  )
}

export function StreamLink({ stream, entry, isCurrent }: { stream: Stream; entry: number; isCurrent: boolean }) {
  const name = displayName(stream)
  const colour = markerColour(stream)
  return (
    <Link
      href={pathTo('streamView', { uid: stream.uid })}
      className={styles.name}
      id={`name-${entry}`}
      title={name}
      data-entry={entry}
      aria-describedby={`status-${entry}`}
      tabIndex={isCurrent ? 0 : -1}
    >
      {colour !== undefined && <span className={styles.marker} style={{ background: colour }} />}
      <span>{name}</span>
    </Link>
  )
}
