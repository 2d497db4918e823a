import { useCallback, useEffect, useRef, useState } from 'react'

/** Whether nothing has moved for `ms`: the controls leave then, and come back with `wake`. */
export function useStillness(ms: number): { isStill: boolean; wake: () => void; rest: () => void } {
  const [isStill, setIsStill] = useState(false)
  const timer = useRef(0)
  const wait = useCallback((delay: number) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setIsStill(true), delay)
  }, [])
  const wake = useCallback(() => {
    setIsStill(false)
    wait(ms)
  }, [ms, wait])
  const rest = useCallback(() => wait(Math.min(ms, 800)), [ms, wait])
  useEffect(() => {
    wait(ms)
    return () => clearTimeout(timer.current)
  }, [ms, wait])
  return { isStill, wake, rest }
}
