/** Resolves when `end` is called, or when aborted; `start` gets `end` and returns the function that undoes it. */
const until = (signal: AbortSignal, start: (end: () => void) => () => void): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      undo()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const undo = start(end)
    signal.addEventListener('abort', end)
  })

/** Resolves after a time in milliseconds, or at once when aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  until(signal, (end) => {
    const timer = setTimeout(end, ms)
    return () => clearTimeout(timer)
  })

/** Resolves at the next event of a type, or at once when aborted. */
export const nextEvent = (target: EventTarget, type: string, signal: AbortSignal): Promise<void> =>
  until(signal, (end) => {
    target.addEventListener(type, end)
    return () => target.removeEventListener(type, end)
  })
