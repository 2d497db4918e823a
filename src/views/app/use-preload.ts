import { useEffect } from 'react'
import type { Deferred } from '../ui/deferred.ts'
import { useConsole } from './console.ts'

/** Loads a module once the browser has nothing else to do. */
export function usePreload(module: Deferred<unknown> | null): void {
  const { whenIdle } = useConsole()
  useEffect(() => {
    if (module !== null) whenIdle(() => void module.load().catch(() => null))
  }, [module, whenIdle])
}
