/**
 * Two frames from now, as a list is measured in the first, and within 5 s. A hidden page has no frames, and runs none.
 */
export function whenIdle(task: () => void): void {
  const soon = () =>
    'requestIdleCallback' in globalThis
      ? globalThis.requestIdleCallback(task, { timeout: 5000 })
      : setTimeout(task, 2000)
  requestAnimationFrame(() => requestAnimationFrame(soon))
}
