import type { TimeRange } from '../../api/contract/time-range.ts'
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { nearest, rowsOf } from '../../machines/timeline/timeline-lists.ts'
import { useVisibleRows } from '../ui/use-visible-rows.ts'
import type { BandWords } from './band-loop.ts'
import styles from './TimelineLists.module.css'

/** Pixels. */
const rowHeight = 32
/** The rows that Page Up and Page Down skip. */
const pageRows = 10
const updateEveryMs = 250

interface RangeListProps<T extends TimeRange> {
  label: string
  ranges: readonly T[]
  clock: () => number | null
  words: BandWords
  isPickable: (range: T) => boolean
  children: (range: T) => ReactNode
  onPick: (at: number) => void
}

/**
 * A list of ranges, grouped by day, that renders only the visible rows. A click seeks to the start of a range, the
 * arrow keys move the focus, and the range at the playhead is marked as current, which is updated four times a second.
 */
export function RangeList<T extends TimeRange>({
  label,
  ranges,
  clock,
  words,
  isPickable,
  children,
  onPick,
}: RangeListProps<T>) {
  const rows = useMemo(() => rowsOf(ranges, words.time.day), [ranges, words])
  const { scroller, first, last } = useVisibleRows({ count: rows.length, rowHeight })
  const { index: near, isAt } = useNearest(ranges, clock)
  const nearRow = rows.findIndex((row) => row.kind === 'range' && row.index === near)
  /** The key of a row. */
  const [cursor, setCursor] = useState('')
  const isFocusDue = useRef(false)

  const reveal = useCallback(
    (row: number) => {
      const element = scroller.current
      if (element === null || row < 0) return
      const top = row * rowHeight
      if (top < element.scrollTop || top + rowHeight > element.scrollTop + element.clientHeight) {
        element.scrollTo({ top: top - (element.clientHeight - rowHeight) / 2 })
      }
    },
    [scroller],
  )

  /* Scrolls with the playhead, unless the pointer or the focus is in the list. */
  useEffect(() => {
    if (scroller.current?.matches(':hover, :focus-within') === false) reveal(nearRow)
  }, [nearRow, reveal, scroller])

  const isFocusable = (index: number) => {
    const row = rows[index]
    return row?.kind === 'range' && isPickable(row.range)
  }
  const nextFocusable = (from: number, step: 1 | -1): number => {
    for (let index = from; index >= 0 && index < rows.length; index += step) if (isFocusable(index)) return index
    return -1
  }
  const cursorRow = cursor === '' ? -1 : rows.findIndex((row) => row.kind === 'range' && row.key === cursor)
  const tabStop = isFocusable(cursorRow) ? cursorRow : isFocusable(nearRow) ? nearRow : nextFocusable(0, 1)

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const end = rows.length - 1
    const targets: Readonly<Record<string, () => number>> = {
      ArrowDown: () => nextFocusable(tabStop + 1, 1),
      ArrowUp: () => nextFocusable(tabStop - 1, -1),
      PageDown: () => nextFocusable(Math.min(end, tabStop + pageRows), -1),
      PageUp: () => nextFocusable(Math.max(0, tabStop - pageRows), 1),
      Home: () => nextFocusable(0, 1),
      End: () => nextFocusable(end, -1),
    }
    const target = Object.hasOwn(targets, event.key) ? targets[event.key]?.() : undefined
    if (target === undefined) return
    event.preventDefault()
    if (target < 0) return
    // The same row isn't rendered again, so that the focus would be due at some later render.
    isFocusDue.current = target !== tabStop
    reveal(target)
    const row = rows[target]
    if (row?.kind === 'range') setCursor(row.key)
  }

  const takeFocus = (button: HTMLButtonElement | null) => {
    if (button === null || !isFocusDue.current) return
    isFocusDue.current = false
    button.focus({ preventScroll: true })
  }

  const shown = Array.from({ length: Math.max(0, last - first) }, (_row, index) => first + index)
  if (tabStop >= 0 && (tabStop < first || tabStop >= last)) shown.push(tabStop)
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul aria-label={label} className={styles.items} style={{ height: rows.length * rowHeight }} onKeyDown={onKeyDown}>
        {shown.map((index) => {
          const row = rows[index]
          const position = { height: rowHeight, transform: `translateY(${index * rowHeight}px)` }
          if (row === undefined) return null
          if (row.kind === 'day') {
            return (
              <li key={`day ${row.at}`} className={styles.day} style={position}>
                {words.dateText(row.at)}
              </li>
            )
          }
          const { range } = row
          const isCurrent = isAt && row.index === near
          return (
            <li
              key={row.key}
              aria-setsize={ranges.length}
              aria-posinset={row.index + 1}
              className={styles.row}
              style={position}
            >
              {isPickable(range) ? (
                <button
                  ref={index === tabStop ? takeFocus : null}
                  type="button"
                  className={styles.item}
                  tabIndex={index === tabStop ? 0 : -1}
                  aria-current={isCurrent || undefined}
                  onFocus={() => setCursor(row.key)}
                  onClick={() => {
                    setCursor(row.key)
                    onPick(range.from)
                  }}
                >
                  {children(range)}
                </button>
              ) : (
                <span className={styles.item} aria-current={isCurrent || undefined}>
                  {children(range)}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function useNearest(ranges: readonly TimeRange[], clock: () => number | null): ReturnType<typeof nearest> {
  const [found, setFound] = useState(() => nearest(ranges, clock()))
  const known = useRef(found)
  useEffect(() => {
    const update = () => {
      const next = nearest(ranges, clock())
      if (next.index === known.current.index && next.isAt === known.current.isAt) return
      known.current = next
      setFound(next)
    }
    update()
    const timer = setInterval(update, updateEveryMs)
    return () => clearInterval(timer)
  }, [ranges, clock])
  return found
}
