/**
 * Runs a task once what is being shown has been painted and the page has nothing better to do: two frames from now, as
 * a list that has come is measured in the first of them, and within 5 s after that. A hidden page has no frames, and
 * runs none.
 */
export function whenIdle(task: () => void): void {
  const soon = () =>
    'requestIdleCallback' in globalThis
      ? globalThis.requestIdleCallback(task, { timeout: 5000 })
      : setTimeout(task, 2000)
  requestAnimationFrame(() => requestAnimationFrame(soon))
}
