import {
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useSelector } from '@xstate/react'
import { actOf, streamListKeys } from '../../machines/keyboard/bindings.ts'
import { selectIsAdmin } from '../../machines/app/app.selectors.ts'
import { sectionsOf } from '../../machines/streams/grouping.ts'
import { sameEntry, sameTop } from '../../machines/streams/keeping-place.ts'
import { type Layout, type Row, entryBeside, geometryOf, layoutOf } from '../../machines/streams/layout.ts'
import type { Listing } from '../../machines/streams/listing.ts'
import {
  type StreamsRef,
  selectChanges,
  selectGeneration,
  selectHasFailed,
  selectIsOutdated,
  selectIsRecalling,
  selectListing,
  selectPreviews,
  selectView,
  selectViewport,
} from '../../machines/streams/streams.selectors.ts'
import { useApp } from '../app/console.ts'
import { EmptyList } from './EmptyList.tsx'
import { FailedList } from './FailedList.tsx'
import type { ListProps } from './list-props.ts'
import { StreamCards } from './StreamCards.tsx'
import { StreamTable } from './StreamTable.tsx'
import { type Choice, useChoice } from './use-choice.ts'
import { useDrawn } from './use-drawn.ts'
import styles from './StreamList.module.css'

/** What stands in for the list until the first answer. */
const expected: Listing = { total: 60, pageSize: 60, pages: {} }

const overscan = 320
const step = 32

/** The scrolling place of the list, of which only the rows in sight and a little around them are drawn. */
export function StreamList({ actor }: { actor: StreamsRef }) {
  const view = useSelector(actor, selectView)
  const { listing, query } = useListed(actor)
  const viewport = useSelector(actor, selectViewport)
  const isOutdated = useSelector(actor, selectIsOutdated)
  const hasFailed = useSelector(actor, selectHasFailed)
  const isRecalling = useSelector(actor, selectIsRecalling)
  const scroller = useRef<HTMLDivElement>(null)
  const scrolling = useScrolling(actor, scroller)

  const shown = listing ?? expected
  const groupType = listing === null ? 'none' : view.groupType
  const layout = useMemo(
    () => layoutOf(shown, sectionsOf(shown, groupType), geometryOf(view.viewModeKey, viewport.width)),
    [shown, groupType, view.viewModeKey, viewport.width],
  )
  const isAdmin = useApp(selectIsAdmin)
  const choice = useChoice(actor, layout, isAdmin)
  const focus = useRovingFocus(layout, scroller, scrolling, choice)
  usePlace(scrolling, layout, query)

  const top = Math.min(viewport.top, Math.max(0, layout.height - viewport.height))
  const bottom = top + viewport.height
  const near = useMemo(() => layout.rowsWithin(top - overscan, bottom + overscan), [layout, top, bottom])
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
    // Whatever has the tab stop is all there, even where its stream is not; until the first answer all is only expected.
    drawing: {
      isThere: (entry) => listing === null || entry === focus.current || drawn.isThere(entry),
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
      {isRecalling || viewport.width === 0 ? null : listing === null && hasFailed ? (
        <FailedList actor={actor} />
      ) : isEmpty ? (
        <EmptyList actor={actor} />
      ) : layout.geometry.kind === 'table' ? (
        <StreamTable {...props} />
      ) : (
        <StreamCards {...props} />
      )}
    </div>
  )
}

/** What is listed, and the query that it answers: null while a newer one is still to be answered. It is drawn when there is time. */
function useListed(actor: StreamsRef) {
  const listing = useSelector(actor, selectListing)
  const generation = useSelector(actor, selectGeneration)
  const isOutdated = useSelector(actor, selectIsOutdated)
  const newest = useMemo(() => ({ listing, query: isOutdated ? null : generation }), [listing, isOutdated, generation])
  const listed = useDeferredValue(newest)
  return listed.listing === null ? newest : listed
}

/** Another query starts at the top, and there one stays; scrolled, what is looked at keeps its place. `query` is null until the list answers it. */
function usePlace({ place, scrollTo }: Scrolling, layout: Layout, query: number | null): void {
  const laid = useRef({ layout, query })
  useLayoutEffect(() => {
    const before = laid.current
    laid.current = { layout, query }
    const { top, height } = place()
    if (top === 0) return
    const next = query === null || before.query !== query ? 0 : sameTop(before.layout, layout, top, height)
    if (next !== top) scrollTo(next)
  }, [place, scrollTo, layout, query])
}

interface Scrolling {
  /** How far the list is scrolled, as last heard: to ask the browser after a change would have it lay out everything at once. */
  place: () => { top: number; height: number }
  scrollTo: (top: number) => void
}

/** Tells what of the list is looked at, a step at a time. */
function useScrolling(actor: StreamsRef, scroller: React.RefObject<HTMLDivElement | null>): Scrolling {
  const heard = useRef({ top: 0, height: 0 })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    let told = ''
    const tell = () => {
      heard.current = { top: element.scrollTop, height: element.clientHeight }
      const viewport = {
        top: Math.floor(heard.current.top / step) * step,
        height: heard.current.height,
        width: element.clientWidth,
      }
      const news = JSON.stringify(viewport)
      if (news === told) return
      told = news
      actor.send({ type: 'list.viewed', viewport })
    }
    const observer = new ResizeObserver(tell)
    observer.observe(element)
    element.addEventListener('scroll', tell, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', tell)
    }
  }, [actor, scroller])
  const place = useCallback(() => heard.current, [])
  const scrollTo = useCallback(
    (top: number) => {
      heard.current = { ...heard.current, top }
      scroller.current?.scrollTo({ top })
    },
    [scroller],
  )
  return { place, scrollTo }
}

/**
 * One tab stop for the whole list; the arrow keys, Home, End and the page keys move it, Space chooses what it is on, Ctrl A all of
 * the list. The row that has it stays drawn, and an entry that is still to be had holds the focus until its stream takes it over.
 */
function useRovingFocus(
  layout: Layout,
  scroller: React.RefObject<HTMLDivElement | null>,
  { place, scrollTo }: Scrolling,
  choice: Choice,
) {
  const [wished, setWished] = useState(0)
  const [isInside, setInside] = useState(false)
  const moved = useRef(false)
  const current = Math.min(wished, Math.max(0, layout.entryCount - 1))
  const row = isInside ? layout.rowOf(current) : undefined

  const laid = useRef(layout)
  useLayoutEffect(() => {
    const before = laid.current
    laid.current = layout
    setWished((entry) => sameEntry(before, layout, entry) ?? entry)
  }, [layout])

  useLayoutEffect(() => {
    const element = scroller.current
    if (!moved.current || element === null) return
    const [before, top] = [place().top, topShowing(layout.rowOf(current), place())]
    if (top !== before) scrollTo(top)
    const target = element.querySelector<HTMLElement>(`[data-entry="${current}"]`)
    target?.focus({ preventScroll: true })
    moved.current = target === null || target.dataset.waiting !== undefined
  }, [current, layout, scroller, place, scrollTo])

  const go = (entry: number) => {
    moved.current = entry !== current
    setWished(entry)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = actOf(streamListKeys, event.key)
    if (act === 'clear' && choice.count > 0) choice.onClear()
    if (!(event.target instanceof Element) || event.target.closest('[data-entry]') === null || event.altKey) return
    if (event.ctrlKey || event.metaKey) {
      if (event.code !== 'KeyA' || !choice.all.isPossible) return
      event.preventDefault()
      choice.all.chooseAll()
      return
    }
    const screenful = Math.max(1, Math.floor(place().height / layout.geometry.itemHeight))
    if (act === undefined || act === 'clear') return
    if (act === 'first') go(0)
    else if (act === 'last') go(layout.entryCount - 1)
    else if (act === 'screenDown') go(Math.min(layout.entryCount - 1, current + screenful * layout.geometry.columns))
    else if (act === 'screenUp') go(Math.max(0, current - screenful * layout.geometry.columns))
    else if (act === 'choose') choice.onChoose(current, event.shiftKey)
    else go(entryBeside(layout, current, act))
    event.preventDefault()
  }
  const onFocus = ({ target }: React.FocusEvent) => {
    const entry = target.closest<HTMLElement>('[data-holds-entry]')?.dataset.holdsEntry
    setInside(entry !== undefined)
    if (entry !== undefined) setWished(Number(entry))
  }
  const onBlur = ({ relatedTarget }: React.FocusEvent) => {
    if (!(relatedTarget instanceof Node) || scroller.current?.contains(relatedTarget) === true) return
    moved.current = false
    setInside(false)
  }
  return { current, row, onKeyDown, onFocus, onBlur }
}

/** Scrolled no farther than brings the row in sight, below a table's head. */
function topShowing(row: Row | undefined, { top, height }: { top: number; height: number }): number {
  if (row === undefined) return top
  const margin = 52
  const highest = Math.max(0, row.top - margin)
  return Math.max(Math.min(top, highest), row.top + row.height + margin - height)
}

function withRow(rows: readonly Row[], row: Row): readonly Row[] {
  if (rows.some(({ kind, first }) => kind === row.kind && first === row.first)) return rows
  return [...rows, row].toSorted((one, other) => one.top - other.top)
}
