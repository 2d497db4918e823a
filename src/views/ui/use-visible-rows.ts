import { useEffect, useEffectEvent, useRef, useState } from 'react'

interface Rows {
  count: number
  rowHeight: number
  /** Reports the rows to render whenever they change; `last` is exclusive. */
  onSight?: (sight: { first: number; last: number }) => void
}

/** The rows of a long list to render: the visible ones and a few on either side. All rows have the same height. */
export function useVisibleRows({ count, rowHeight, onSight }: Rows) {
  const scroller = useRef<HTMLDivElement>(null)
  const [sight, setSight] = useState({ first: 0, last: 30 })
  const report = useEffectEvent((rows: { first: number; last: number }) => onSight?.(rows))

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    let reported = ''
    const update = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - 6)
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + 6
      const rows = `${first} ${last}`
      if (rows !== reported) report({ first, last })
      reported = rows
      setSight((before) => (before.first === first && before.last === last ? before : { first, last }))
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

  return { scroller, first: Math.min(sight.first, Math.max(0, count - 1)), last: Math.min(sight.last, count) }
}
