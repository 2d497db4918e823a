import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { entriesOf, type Layout, type Row } from '../../machines/streams/layout.ts'
import { isComplete, nothing, withMore } from './drawing.ts'

export interface Drawing {
  /** Its stream is shown, or that it is waited for. */
  isThere: (entry: number) => boolean
  hasActions: (entry: number) => boolean
}

/**
 * What of `rows` is drawn. Of a list that was not seen before, which another `query` tells, what is `inSight` at once;
 * everything else frame by frame, so that scrolling never waits for it.
 */
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

/** The entries of these rows whose streams are here. */
function hereOf(layout: Layout, rows: readonly Row[]): readonly number[] {
  return rows.flatMap(entriesOf).filter((entry) => layout.entryAt(entry)?.stream !== undefined)
}
