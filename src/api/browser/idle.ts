/** Runs a task after two frames, or within 5 s. A hidden page has no frames and runs it once it is shown. */
export function whenIdle(task: () => void): void {
  const soon = () =>
    'requestIdleCallback' in globalThis
      ? globalThis.requestIdleCallback(task, { timeout: 5000 })
      : setTimeout(task, 2000)
  requestAnimationFrame(() => requestAnimationFrame(soon))
}
