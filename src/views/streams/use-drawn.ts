import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { entriesOf, type Layout, type Row } from '../../machines/streams/layout.ts'
import { isComplete, nothing, withMore } from './drawing.ts'

export interface Drawing {
  isRendered: (entry: number) => boolean
  hasActions: (entry: number) => boolean
}

/** Renders the visible rows of a new `query` at once, everything else frame by frame, so that scrolling is smooth. */
export function useDrawn(
  layout: Layout,
  rows: readonly Row[],
  isVisible: (row: Row) => boolean,
  query: number | null,
): Drawing {
  const loaded = useMemo(() => loadedEntries(layout, rows), [layout, rows])
  const [shownQuery, setShownQuery] = useState<number | null>(null)
  const [drawn, setDrawn] = useState(nothing)
  if (query !== null && query !== shownQuery) {
    setShownQuery(query)
    setDrawn({ streams: new Set(loadedEntries(layout, rows.filter(isVisible))), actions: new Set() })
  }
  const newest = useRef(loaded)
  useLayoutEffect(() => {
    newest.current = loaded
  }, [loaded])
  const isDone = isComplete(loaded, drawn)
  useEffect(() => {
    if (isDone) return undefined
    const draw = () => {
      setDrawn((before) => withMore(before, newest.current))
      next = requestAnimationFrame(draw)
    }
    let next = requestAnimationFrame(draw)
    return () => cancelAnimationFrame(next)
  }, [isDone])
  return { isRendered: (entry) => drawn.streams.has(entry), hasActions: (entry) => drawn.actions.has(entry) }
}

function loadedEntries(layout: Layout, rows: readonly Row[]): readonly number[] {
  return rows.flatMap(entriesOf).filter((entry) => layout.entryAt(entry)?.stream !== undefined)
}
