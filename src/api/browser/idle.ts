/** Runs a task once the page has nothing better to do; within 5 s at the latest. */
export function whenIdle(task: () => void): void {
  if ('requestIdleCallback' in globalThis) globalThis.requestIdleCallback(task, { timeout: 5000 })
  else setTimeout(task, 2000)
}
