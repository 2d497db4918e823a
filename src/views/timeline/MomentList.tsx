import type { TimeRange } from '../../api/contract/time-range.ts'
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { nearest, rowsOf } from '../../machines/timeline/moments.ts'
import { useWindow } from '../ui/use-window.ts'
import type { BandWords } from './band-loop.ts'
import styles from './Moments.module.css'

const rowHeight = 32
const page = 10
const lookEvery = 250

interface MomentListProps<T extends TimeRange> {
  label: string
  moments: readonly T[]
  clock: () => number | null
  words: BandWords
  isPickable: (moment: T) => boolean
  children: (moment: T) => ReactNode
  onPick: (at: number) => void
}

/**
 * Moments by their days, of which only those in sight are in the document. A press goes to one, the arrow keys move
 * among them, and the one at the playhead is current: it is looked for four times a second, and drawn where it is
 * another.
 */
export function MomentList<T extends TimeRange>({
  label,
  moments,
  clock,
  words,
  isPickable,
  children,
  onPick,
}: MomentListProps<T>) {
  const rows = useMemo(() => rowsOf(moments, words.time.day), [moments, words])
  const { scroller, first, last } = useWindow({ count: rows.length, rowHeight })
  const { index: near, isAt } = useNearest(moments, clock)
  const nearRow = rows.findIndex((row) => row.kind === 'moment' && row.index === near)
  const [cursor, setCursor] = useState(-1)
  const isMoved = useRef(false)

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

  /* Comes along with what plays, unless somebody is reading the list. */
  useEffect(() => {
    if (scroller.current?.matches(':hover, :focus-within') === false) reveal(nearRow)
  }, [nearRow, reveal, scroller])

  const canHold = (index: number) => {
    const row = rows[index]
    return row?.kind === 'moment' && isPickable(row.moment)
  }
  const seek = (from: number, step: 1 | -1): number => {
    for (let index = from; index >= 0 && index < rows.length; index += step) if (canHold(index)) return index
    return -1
  }
  const held = canHold(cursor) ? cursor : canHold(nearRow) ? nearRow : seek(0, 1)

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const end = rows.length - 1
    const targets: Readonly<Record<string, () => number>> = {
      ArrowDown: () => seek(held + 1, 1),
      ArrowUp: () => seek(held - 1, -1),
      PageDown: () => seek(Math.min(end, held + page), -1),
      PageUp: () => seek(Math.max(0, held - page), 1),
      Home: () => seek(0, 1),
      End: () => seek(end, -1),
    }
    const target = Object.hasOwn(targets, event.key) ? targets[event.key]?.() : undefined
    if (target === undefined) return
    event.preventDefault()
    if (target < 0) return
    isMoved.current = true
    reveal(target)
    setCursor(target)
  }

  const takeFocus = (button: HTMLButtonElement | null) => {
    if (button === null || !isMoved.current) return
    isMoved.current = false
    button.focus({ preventScroll: true })
  }

  const shown = Array.from({ length: Math.max(0, last - first) }, (_row, index) => first + index)
  if (held >= 0 && (held < first || held >= last)) shown.push(held)
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
          const { moment } = row
          const isCurrent = isAt && row.index === near
          return (
            <li
              key={`${moment.from} ${row.index}`}
              aria-setsize={moments.length}
              aria-posinset={row.index + 1}
              className={styles.row}
              style={position}
            >
              {isPickable(moment) ? (
                <button
                  ref={index === held ? takeFocus : null}
                  type="button"
                  className={styles.item}
                  tabIndex={index === held ? 0 : -1}
                  aria-current={isCurrent || undefined}
                  onClick={() => {
                    setCursor(index)
                    onPick(moment.from)
                  }}
                >
                  {children(moment)}
                </button>
              ) : (
                <span className={styles.item} aria-current={isCurrent || undefined}>
                  {children(moment)}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function useNearest(moments: readonly TimeRange[], clock: () => number | null): ReturnType<typeof nearest> {
  const [found, setFound] = useState(() => nearest(moments, clock()))
  const known = useRef(found)
  useEffect(() => {
    const look = () => {
      const next = nearest(moments, clock())
      if (next.index === known.current.index && next.isAt === known.current.isAt) return
      known.current = next
      setFound(next)
    }
    look()
    const timer = setInterval(look, lookEvery)
    return () => clearInterval(timer)
  }, [moments, clock])
  return found
}
