import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { anchoredTop } from '../../machines/streams/scroll-anchor.ts'
import type { Layout } from '../../machines/streams/layout.ts'
import type { StreamsRef } from '../../machines/streams/streams.selectors.ts'

/** Pixels: smaller scrolls are not reported. */
const step = 32

export interface Scrolling {
  /** As of the last scroll or resize: to ask the browser after a change would force a layout. */
  viewport: () => { top: number; height: number }
  scrollTo: (top: number) => void
}

/** Reports the visible part of the list to the machine. */
export function useScrolling(actor: StreamsRef, scroller: React.RefObject<HTMLDivElement | null>): Scrolling {
  const scrolled = useRef({ top: 0, height: 0 })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    let reported = ''
    const report = () => {
      scrolled.current = { top: element.scrollTop, height: element.clientHeight }
      const viewport = {
        top: Math.floor(scrolled.current.top / step) * step,
        height: scrolled.current.height,
        width: element.clientWidth,
      }
      const serialized = JSON.stringify(viewport)
      if (serialized === reported) return
      reported = serialized
      actor.send({ type: 'list.viewed', viewport })
    }
    const observer = new ResizeObserver(report)
    observer.observe(element)
    element.addEventListener('scroll', report, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', report)
    }
  }, [actor, scroller])
  const viewport = useCallback(() => scrolled.current, [])
  const scrollTo = useCallback(
    (top: number) => {
      scrolled.current = { ...scrolled.current, top }
      scroller.current?.scrollTo({ top })
    },
    [scroller],
  )
  return { viewport, scrollTo }
}

/**
 * Scrolls to the top for a new query; otherwise keeps the visible rows in place when the layout changes. `query` is
 * null until it is answered.
 */
export function useScrollAnchor({ viewport, scrollTo }: Scrolling, layout: Layout, query: number | null): void {
  const previous = useRef({ layout, query })
  useLayoutEffect(() => {
    const before = previous.current
    previous.current = { layout, query }
    const { top, height } = viewport()
    if (top === 0) return
    const next = query === null || before.query !== query ? 0 : anchoredTop(before.layout, layout, top, height)
    if (next !== top) scrollTo(next)
  }, [viewport, scrollTo, layout, query])
}
