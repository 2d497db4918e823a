/** A page that hasn't reported its first paint by then counts as painted. */
const maxPaintMs = 5000

/** Resolves when the first content of the page is painted; at once if the browser doesn't report that. */
const firstPaint = new Promise<void>((resolve) => {
  const observed = globalThis.PerformanceObserver?.supportedEntryTypes ?? []
  if (!observed.includes('paint')) {
    resolve()
    return
  }
  const observer = new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length === 0) return
    observer.disconnect()
    resolve()
  })
  observer.observe({ type: 'paint', buffered: true })
  setTimeout(resolve, maxPaintMs)
})

export const whenPainted = (): Promise<void> => firstPaint

/**
 * Runs a task after the first paint and two more frames, once the browser is idle but within 5 s; in a browser without
 * `requestIdleCallback`, after 2 s. A hidden page draws no frames and runs the task after it is shown again.
 */
export function whenIdle(task: () => void): void {
  const schedule = () =>
    'requestIdleCallback' in globalThis
      ? globalThis.requestIdleCallback(task, { timeout: 5000 })
      : setTimeout(task, 2000)
  void firstPaint.then(() => requestAnimationFrame(() => requestAnimationFrame(schedule)))
}
