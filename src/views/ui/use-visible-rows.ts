import { useEffect, useEffectEvent, useRef, useState } from 'react'

interface Rows {
  count: number
  /** Pixels. */
  rowHeight: number
  /** Reports the rows to render whenever they change; `last` is exclusive. */
  onSight?: (rows: { first: number; last: number }) => void
}

/** Rows that are rendered on either side of the visible ones. */
const extraRows = 6

/** The rows of a long list to render. All rows have the same height. */
export function useVisibleRows({ count, rowHeight, onSight }: Rows) {
  const scroller = useRef<HTMLDivElement>(null)
  const [rendered, setRendered] = useState({ first: 0, last: 30 })
  const report = useEffectEvent((rows: { first: number; last: number }) => onSight?.(rows))

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    let reported = ''
    const update = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - extraRows)
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + extraRows
      const rows = `${first} ${last}`
      if (rows !== reported) report({ first, last })
      reported = rows
      setRendered((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    update()
    const resizes = new ResizeObserver(update)
    resizes.observe(element)
    element.addEventListener('scroll', update, { passive: true })
    return () => {
      resizes.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [rowHeight])

  return { scroller, first: Math.min(rendered.first, Math.max(0, count - 1)), last: Math.min(rendered.last, count) }
}
