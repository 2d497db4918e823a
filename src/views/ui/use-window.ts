import { useEffect, useRef, useState } from 'react'

/** Which rows of a long list of equal heights are in sight, a few more on either side. */
export function useWindow({ count, rowHeight }: { count: number; rowHeight: number }) {
  const scroller = useRef<HTMLDivElement>(null)
  const [sight, setSight] = useState({ first: 0, last: 30 })

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const look = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - 6)
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + 6
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
