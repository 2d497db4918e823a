import { useEffect, useEffectEvent, useRef, useState } from 'react'

interface Rows {
  count: number
  rowHeight: number
  /** Gets the visible rows whenever they change; the last one isn't among them. */
  onSight?: (sight: { first: number; last: number }) => void
}

/** Which rows of a long list of equal heights are in sight, a few more on either side. */
export function useWindow({ count, rowHeight, onSight }: Rows) {
  const scroller = useRef<HTMLDivElement>(null)
  const [sight, setSight] = useState({ first: 0, last: 30 })
  const report = useEffectEvent((seen: { first: number; last: number }) => onSight?.(seen))

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    let reported = ''
    const look = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - 6)
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + 6
      const news = `${first} ${last}`
      if (news !== reported) report({ first, last })
      reported = news
      setSight((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    look()
    const resizes = new ResizeObserver(look)
    resizes.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      resizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [rowHeight])

  return { scroller, first: Math.min(sight.first, Math.max(0, count - 1)), last: Math.min(sight.last, count) }
}
