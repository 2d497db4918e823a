import { useCallback, useMemo, useRef, useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Bookmark as BookmarkIcon, MonitorDown, SearchX, Server } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { formatNumber } from '../../i18n/formats.ts'
import { titles } from '../../i18n/titles.ts'
import type { bookmarksMachine } from '../../machines/bookmarks/bookmarks.machine.ts'
import { type BookmarkLocation, previewKey } from '../../machines/bookmarks/bookmark-location.ts'
import { shownBookmarks, streamName } from '../../machines/bookmarks/shown.ts'
import { selectContext } from '../../machines/selectors.ts'
import { Button } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { StatePanel } from '../ui/State.tsx'
import { BookmarkCard } from './BookmarkCard.tsx'
import { BookmarkDialogs } from './BookmarkDialogs.tsx'
import { useInSight } from '../ui/use-in-sight.ts'
import styles from './Bookmarks.module.css'

type Snapshot = SnapshotFrom<typeof bookmarksMachine>

const selectPreviews = ({ children }: Snapshot) => children.previews
const pageSize = 120
const none: readonly never[] = []

export function BookmarksPage({ actor }: { actor: ActorRefFrom<typeof bookmarksMachine> }) {
  const { t } = useLingui()
  const { bookmarks, apiError, query, names, bookmarkLocation } = useSelector(actor, selectContext)
  const count = bookmarks?.length ?? 0
  const found = useMemo(() => shownBookmarks({ bookmarks: bookmarks ?? none, names, query }), [bookmarks, names, query])
  const foundCount = formatNumber(found.length)
  return (
    <Page
      title={t(titles.bookmarks)}
      note={
        bookmarks !== null && (
          <span role="status">
            {found.length === count ? (
              <Plural value={count} one="# bookmark" other="# bookmarks" />
            ) : (
              <Plural value={count} one={`${foundCount} of # bookmark`} other={`${foundCount} of # bookmarks`} />
            )}
          </span>
        )
      }
      actions={<StorageNote bookmarkLocation={bookmarkLocation} />}
    >
      {count > 0 && (
        <SearchBox
          label={t`Search bookmarks`}
          value={query}
          onChange={(value) => actor.send({ type: 'query.changed', query: value })}
        />
      )}
      <Resource value={bookmarks} apiError={apiError} onRetry={() => actor.send({ type: 'list.retried' })}>
        {() => (found.length === 0 ? <NoBookmarks isSearched={count > 0} /> : <Cards actor={actor} found={found} />)}
      </Resource>
      <BookmarkDialogs actor={actor} />
    </Page>
  )
}

function StorageNote({ bookmarkLocation }: { bookmarkLocation: BookmarkLocation }) {
  return (
    <p className={styles.where}>
      {bookmarkLocation.kind === 'server' ? (
        <Server size={16} aria-hidden="true" />
      ) : (
        <MonitorDown size={16} aria-hidden="true" />
      )}
      {bookmarkLocation.kind === 'server' ? (
        <Trans>Stored on the server, visible to you only</Trans>
      ) : (
        <Trans>Stored in this browser only</Trans>
      )}
    </p>
  )
}

function NoBookmarks({ isSearched }: { isSearched: boolean }) {
  const { t } = useLingui()
  return isSearched ? (
    <StatePanel icon={<SearchX size={20} />} title={t`No bookmarks found`}>
      <Trans>No note or stream name contains this.</Trans>
    </StatePanel>
  ) : (
    <StatePanel icon={<BookmarkIcon size={20} />} title={t`No bookmarks yet`}>
      <Trans>
        Press B or the Bookmark button while watching the archive to save a moment with a note. It appears here.
      </Trans>
    </StatePanel>
  )
}

function Cards({
  actor,
  found,
}: {
  actor: ActorRefFrom<typeof bookmarksMachine>
  found: ReturnType<typeof shownBookmarks>
}) {
  const { t } = useLingui()
  const { names, zone } = useSelector(actor, selectContext)
  const previews = useSelector(actor, selectPreviews)
  const [limit, setLimit] = useState(pageSize)
  const list = useRef<HTMLUListElement>(null)
  const shown = useMemo(() => found.slice(0, limit), [found, limit])
  useInSight(
    list,
    shown,
    useCallback(
      (inSight) => {
        const withStream = inSight.filter(({ streamId }) => names.get(streamId) !== null)
        const keys = new Set(withStream.map(({ streamId, time }) => previewKey({ streamId, at: time })))
        previews?.send({
          type: 'previews.requested',
          subjects: [...keys].map((key) => ({ uid: key, isMoving: false, isAwaited: false })),
        })
      },
      [previews, names],
    ),
  )
  return (
    <>
      <ul ref={list} className={styles.list} aria-label={t(titles.bookmarks)}>
        {shown.map((bookmark) => (
          <BookmarkCard
            key={bookmark.id}
            bookmark={bookmark}
            name={streamName(names, bookmark.streamId)}
            zone={zone}
            isGone={names.get(bookmark.streamId) === null}
            previews={previews}
            onEdit={() => actor.send({ type: 'edit.requested', bookmark })}
            onDelete={() => actor.send({ type: 'delete.requested', bookmark })}
          />
        ))}
      </ul>
      {found.length > limit && (
        <div className={styles.more}>
          <Button onClick={() => setLimit(limit + pageSize)}>{t`Show more`}</Button>
        </div>
      )}
    </>
  )
}
