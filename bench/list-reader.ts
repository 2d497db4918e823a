export interface ListReader {
  /** Starts a measurement; call it before the click or Enter. */
  start(): void
  /** Milliseconds from the click or Enter until the received list with all visible streams is painted. */
  shown(): Promise<number>
  /**
   * For a sign-in, after `shown`: when each of its steps was done, in milliseconds since the press; NaN for one that
   * wasn't.
   */
  stepsOfSignIn(): number[]
  /** The most elements in the document since the last call. */
  maxElements(): number
}

/** The steps of a sign-in, in their order. */
export const signInSteps = [
  'login answered',
  'user answered',
  'list requested',
  'list answered',
  'first card painted',
  'all cards in sight painted',
] as const

declare global {
  var list: ListReader
}

/** Runs in the page. Streams count as shown when their frame has been painted. */
export const installListReader = (): void => {
  const seen = {
    pressedAt: Number.NaN,
    wasOutdated: false,
    firstCardAt: Number.NaN,
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
  /** The list is laid out, and no placeholder is visible. */
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
  const watchFirstCard = () => {
    const watcher = new MutationObserver(() => {
      if (document.querySelector('main a[data-entry]') === null) return
      watcher.disconnect()
      afterPaint(() => (seen.firstCardAt = performance.now()))
    })
    watcher.observe(document, { subtree: true, childList: true })
  }
  const start = () => {
    Object.assign(seen, { pressedAt: Number.NaN, wasOutdated: false, firstCardAt: Number.NaN })
    watchFirstCard()
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
  const callTo = (path: string) =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .find(({ name, startTime }) => startTime >= seen.pressedAt && new URL(name).pathname === path)
  const stepsOfSignIn = () => {
    const list = callTo('/v1/streams')
    return [
      callTo('/v1/sign-in')?.responseEnd,
      callTo('/v1/user')?.responseEnd,
      list?.startTime,
      list?.responseEnd,
      seen.firstCardAt,
      seen.shownAt,
    ].map((at = Number.NaN) => at - seen.pressedAt)
  }
  const count = () => (seen.most = Math.max(seen.most, document.querySelectorAll('*').length))
  new MutationObserver(count).observe(document, { subtree: true, childList: true })
  const maxElements = () => {
    const { most } = seen
    seen.most = document.querySelectorAll('*').length
    return most
  }
  Object.assign(globalThis, {
    list: { start, shown: () => seen.shown, stepsOfSignIn, maxElements },
  })
}
