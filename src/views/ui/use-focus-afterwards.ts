import { useEffect, useRef } from 'react'
import { ifFocusIsLost } from './move-focus.ts'

/** Calls `move` once the component is removed, if the focus got lost with it. */
export function useFocusAfterwards(move: () => void): void {
  const cancel = useRef<(() => void) | null>(null)
  useEffect(() => {
    // In development React also runs the cleanup of a component that stays.
    cancel.current?.()
    return () => {
      cancel.current = ifFocusIsLost(move)
    }
  }, [move])
}
