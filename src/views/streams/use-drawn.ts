import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { entriesOf, type Layout, type Row } from '../../machines/streams/layout.ts'
import { isComplete, nothing, withMore } from './drawing.ts'

export interface Drawing {
  isThere: (entry: number) => boolean
  hasActions: (entry: number) => boolean
}

/** What is `inSight` of another `query` is drawn at once, all else frame by frame, so that scrolling never waits. */
export function useDrawn(
  layout: Layout,
  rows: readonly Row[],
  inSight: (row: Row) => boolean,
  query: number | null,
): Drawing {
  const wanted = useMemo(() => hereOf(layout, rows), [layout, rows])
  const [seen, setSeen] = useState<number | null>(null)
  const [drawn, setDrawn] = useState(nothing)
  if (query !== null && query !== seen) {
    setSeen(query)
    setDrawn({ streams: new Set(hereOf(layout, rows.filter(inSight))), actions: new Set() })
  }
  const newest = useRef(wanted)
  useLayoutEffect(() => {
    newest.current = wanted
  }, [wanted])
  const isDone = isComplete(wanted, drawn)
  useEffect(() => {
    if (isDone) return undefined
    const draw = () => {
      setDrawn((before) => withMore(before, newest.current))
      next = requestAnimationFrame(draw)
    }
    let next = requestAnimationFrame(draw)
    return () => cancelAnimationFrame(next)
  }, [isDone])
  return { isThere: (entry) => drawn.streams.has(entry), hasActions: (entry) => drawn.actions.has(entry) }
}

function hereOf(layout: Layout, rows: readonly Row[]): readonly number[] {
  return rows.flatMap(entriesOf).filter((entry) => layout.entryAt(entry)?.stream !== undefined)
}
