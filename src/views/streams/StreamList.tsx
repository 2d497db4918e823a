import { useDeferredValue, useMemo, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { selectIsAdmin } from '../../machines/app/app.selectors.ts'
import { sectionsOf } from '../../machines/streams/grouping.ts'
import { withRow } from '../../machines/streams/scroll-anchor.ts'
import { geometryOf, layoutOf } from '../../machines/streams/layout.ts'
import type { Listing } from '../../machines/streams/listing.ts'
import {
  type StreamsRef,
  selectChanges,
  selectGeneration,
  selectHasFailed,
  selectIsOutdated,
  selectIsRestoring,
  selectListing,
  selectPreviews,
  selectView,
  selectViewport,
} from '../../machines/streams/streams.selectors.ts'
import { useApp } from '../app/console.ts'
import { useDeferred } from '../ui/deferred.ts'
import { EmptyList } from './EmptyList.tsx'
import { FailedList } from './FailedList.tsx'
import type { ListProps } from './list-props.ts'
import { StreamCards } from './StreamCards.tsx'
import { streamTable } from './deferred-modules.ts'
import { useChoice } from './use-choice.ts'
import { useDrawn } from './use-drawn.ts'
import { useRovingFocus } from './use-roving-focus.ts'
import { useScrollAnchor, useScrolling } from './use-scrolling.ts'
import styles from './StreamList.module.css'

/** Placeholders, shown until the first page arrives: few, as rendering them delays it. */
const placeholders: Listing = { total: 12, pageSize: 12, pages: {} }

/** Rows this far above and below the viewport are rendered, too. */
const overscanPx = 320

export function StreamList({ actor }: { actor: StreamsRef }) {
  const view = useSelector(actor, selectView)
  const { listing, query } = useListed(actor)
  const viewport = useSelector(actor, selectViewport)
  const isOutdated = useSelector(actor, selectIsOutdated)
  const hasFailed = useSelector(actor, selectHasFailed)
  const isRestoring = useSelector(actor, selectIsRestoring)
  const scroller = useRef<HTMLDivElement>(null)
  const scrolling = useScrolling(actor, scroller)

  const shown = listing ?? placeholders
  const groupType = listing === null ? 'none' : view.groupType
  const layout = useMemo(
    () => layoutOf(shown, sectionsOf(shown, groupType), geometryOf(view.viewModeKey, viewport.width)),
    [shown, groupType, view.viewModeKey, viewport.width],
  )
  const isTable = layout.geometry.kind === 'table'
  const table = useDeferred(streamTable, isTable)
  const isAdmin = useApp(selectIsAdmin)
  const choice = useChoice(actor, layout, isAdmin)
  const focus = useRovingFocus(layout, scroller, scrolling, choice)
  useScrollAnchor(scrolling, layout, query)

  const top = Math.min(viewport.top, Math.max(0, layout.height - viewport.height))
  const bottom = top + viewport.height
  const near = useMemo(() => layout.rowsWithin(top - overscanPx, bottom + overscanPx), [layout, top, bottom])
  const drawn = useDrawn(
    layout,
    near,
    (row) => row.top < bottom && row.top + row.height > top,
    listing === null || viewport.height === 0 ? null : query,
  )
  const props: ListProps = {
    actor,
    previews: useSelector(actor, selectPreviews),
    layout,
    rows: focus.row === undefined ? near : withRow(near, focus.row),
    // The entry with the tab stop is always rendered, at least as a placeholder; so are all placeholders until the
    // first page arrives.
    drawing: {
      isRendered: (entry) => listing === null || entry === focus.current || drawn.isRendered(entry),
      hasActions: (entry) => entry === focus.current || drawn.hasActions(entry),
    },
    current: focus.current,
    isAdmin,
    changing: useSelector(actor, selectChanges),
    choice,
    width: viewport.width,
  }
  const isEmpty = listing !== null && listing.total === 0 && !isOutdated
  return (
    <div
      ref={scroller}
      role="presentation"
      className={styles.scroller}
      aria-busy={(listing === null || isOutdated) && !hasFailed}
      data-outdated={isOutdated || undefined}
      data-choosing={choice.count > 0 || undefined}
      onKeyDown={focus.onKeyDown}
      onFocus={focus.onFocus}
      onBlur={focus.onBlur}
    >
      {isRestoring || viewport.width === 0 ? null : listing === null && hasFailed ? (
        <FailedList actor={actor} />
      ) : isEmpty ? (
        <EmptyList actor={actor} />
      ) : isTable ? (
        table !== null && <table.StreamTable {...props} />
      ) : (
        <StreamCards {...props} />
      )}
    </div>
  )
}

/** The listing and the number of its query, null until the newest is answered. Deferred, so that input comes first. */
function useListed(actor: StreamsRef) {
  const listing = useSelector(actor, selectListing)
  const generation = useSelector(actor, selectGeneration)
  const isOutdated = useSelector(actor, selectIsOutdated)
  const newest = useMemo(() => ({ listing, query: isOutdated ? null : generation }), [listing, isOutdated, generation])
  const listed = useDeferredValue(newest)
  return listed.listing === null ? newest : listed
}
