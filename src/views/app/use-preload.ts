import { useEffect } from 'react'
import type { Deferred } from '../ui/deferred.ts'
import { useConsole } from './console.ts'

/** Loads a module once the browser has nothing else to do. */
export function usePreload(one: Deferred<unknown> | null): void {
  const { whenIdle } = useConsole()
  useEffect(() => {
    if (one !== null) whenIdle(() => void one.load().catch(() => null))
  }, [one, whenIdle])
}
