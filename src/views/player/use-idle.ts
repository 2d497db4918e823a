import { useCallback, useEffect, useRef, useState } from 'react'

/** Whether the pointer has rested for `ms` milliseconds: controls hide until `wake`. `rest` hides them sooner. */
export function useIdle(ms: number): { isIdle: boolean; wake: () => void; rest: () => void } {
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
  return { isIdle, wake, rest }
}
