/**
 * Runs a task two frames later, once the browser is idle but within 5 s; after 2 s in a browser that can't say when it
 * is idle. A hidden page draws no frames and runs the task after it is shown again.
 */
export function whenIdle(task: () => void): void {
  const schedule = () =>
    'requestIdleCallback' in globalThis
      ? globalThis.requestIdleCallback(task, { timeout: 5000 })
      : setTimeout(task, 2000)
  requestAnimationFrame(() => requestAnimationFrame(schedule))
}
