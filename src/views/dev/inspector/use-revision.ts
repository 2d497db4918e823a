import { useRef, useState, useSyncExternalStore } from 'react'
import type { Recorder } from '../record/recorder.ts'

/** Between two updates of the inspector. */
const updateIntervalMs = 200

/**
 * A number that grows as events are recorded, to render again: with the next frame after the first, once for all that
 * follow shortly.
 */
export function useRevision(recorder: Recorder, view: Window): number {
  const revision = useRef(0)
  const [subscribe] = useState(() => (listener: () => void) => {
    let [frame, timer] = [0, 0]
    let isDue = false
    const update = () => {
      frame = 0
      revision.current += 1
      listener()
      timer = view.setTimeout(() => {
        timer = 0
        if (isDue) request()
        isDue = false
      }, updateIntervalMs)
    }
    const request = () => {
      if (timer === 0 && frame === 0) frame = view.requestAnimationFrame(update)
      else isDue = timer !== 0
    }
    const unsubscribe = recorder.subscribe(request)
    return () => {
      unsubscribe()
      view.clearTimeout(timer)
      view.cancelAnimationFrame(frame)
    }
  })
  return useSyncExternalStore(subscribe, () => revision.current)
}
