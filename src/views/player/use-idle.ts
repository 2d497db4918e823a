import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'

interface Idle {
  isIdle: boolean
  wake: () => void
  rest: () => void
  /** A tap on hidden controls only shows them. */
  wakeHidden: (event: PointerEvent) => void
}

/** The click of the press that has just begun reaches nothing. A click by a key has no detail. */
function swallowClick(): void {
  const ending = new AbortController()
  const options = { capture: true, signal: ending.signal }
  const onClick = (click: MouseEvent) => {
    ending.abort()
    if (click.detail === 0) return
    click.preventDefault()
    click.stopPropagation()
  }
  globalThis.addEventListener('click', onClick, options)
  globalThis.addEventListener('pointerdown', () => ending.abort(), options)
}

/** Whether the pointer has rested for `ms` milliseconds: controls hide until `wake`. `rest` hides them sooner. */
export function useIdle(ms: number): Idle {
  const [isIdle, setIsIdle] = useState(false)
  const timer = useRef(0)
  const wait = useCallback((delay: number) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setIsIdle(true), delay)
  }, [])
  const wake = useCallback(() => {
    setIsIdle(false)
    wait(ms)
  }, [ms, wait])
  const rest = useCallback(() => wait(Math.min(ms, 800)), [ms, wait])
  useEffect(() => {
    wait(ms)
    return () => clearTimeout(timer.current)
  }, [ms, wait])
  const wakeHidden = (event: PointerEvent) => {
    if (
      event.pointerType === 'mouse' ||
      !(event.target instanceof Element) ||
      event.target.checkVisibility({ checkOpacity: true })
    )
      return
    event.preventDefault()
    event.stopPropagation()
    swallowClick()
    wake()
  }
  return { isIdle, wake, rest, wakeHidden }
}
