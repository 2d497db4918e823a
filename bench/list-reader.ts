export interface ListReader {
  /** Begins to watch; to be called before the press or Enter that is waited for. */
  expectPress(): void
  /**
   * Milliseconds from that press or Enter to the painting of a list that is no longer waiting for its answer, with all
   * streams in sight.
   */
  shown(): Promise<number>
  /** When the answer with the current user had come, to the same painting. */
  shownAt(): number
  /** The most elements in the document since this was last asked. */
  maxElements(): number
}

declare global {
  var list: ListReader
}

/** Runs in the page. Streams count as shown once the frame that draws them has been painted. */
export const installListReader = (): void => {
  const seen = {
    pressedAt: Number.NaN,
    wasOutdated: false,
    shownAt: Number.NaN,
    shown: Promise.resolve(Number.NaN),
    most: 0,
  }
  const press = ({ timeStamp }: Event) =>
    Object.assign(seen, { pressedAt: timeStamp, wasOutdated: document.querySelector('main a[data-entry]') === null })
  addEventListener('click', press, { capture: true })
  addEventListener('keydown', (event) => event.key === 'Enter' && press(event), { capture: true })

  const isShown = () => {
    const isOutdated = document.querySelector('[data-outdated]') !== null
    if (isOutdated) seen.wasOutdated = true
    return (
      seen.wasOutdated && !isOutdated && document.querySelector('main [role=presentation][aria-busy=false]') !== null
    )
  }
  /** Something is laid out, and no visible placeholder waits for its stream. */
  const isFilled = () =>
    document.querySelector('main [role=presentation] > *') !== null &&
    [...document.querySelectorAll('main [data-waiting]')].every(
      (placeholder) => placeholder.getBoundingClientRect().top >= innerHeight,
    )
  const afterPaint = (act: () => void) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.addEventListener('message', act)
      channel.port1.start()
      channel.port2.postMessage(null)
    })
  const expectPress = () => {
    Object.assign(seen, { pressedAt: Number.NaN, wasOutdated: false })
    seen.shown = new Promise<number>((resolve) => {
      const watcher = new MutationObserver(() => {
        if (Number.isNaN(seen.pressedAt) || !isShown()) return
        watcher.disconnect()
        const look = () => {
          if (!isFilled()) return afterPaint(look)
          seen.shownAt = performance.now()
          return resolve(seen.shownAt - seen.pressedAt)
        }
        afterPaint(look)
      })
      watcher.observe(document, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeFilter: ['data-outdated', 'aria-busy'],
      })
    })
  }
  const count = () => (seen.most = Math.max(seen.most, document.querySelectorAll('*').length))
  new MutationObserver(count).observe(document, { subtree: true, childList: true })
  const maxElements = () => {
    const { most } = seen
    seen.most = document.querySelectorAll('*').length
    return most
  }
  Object.assign(globalThis, {
    list: { expectPress, shown: () => seen.shown, shownAt: () => seen.shownAt, maxElements },
  })
}
