/** Has the browser ask before the window is closed or reloaded. Answers the function that ends it. */
export function holdWindow(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  globalThis.addEventListener('beforeunload', ask)
  return () => globalThis.removeEventListener('beforeunload', ask)
}

const holds = new Set<(proceed: () => void) => void>()

/** Leaves by a way that is no navigation, signing out: what is held is asked first, and carries it out once it may. */
export function leave(proceed: () => void): void {
  const [hold] = holds
  if (hold === undefined) proceed()
  else hold(proceed)
}

type Attempted = (proceed: () => void) => void

const isSamePage = (to: URL, from: Location | URL): boolean =>
  to.origin === from.origin && to.pathname === from.pathname

/** By the Navigation API: every way within the document, back and forward too, can be held before it begins. */
function holdNavigations(onAttempt: Attempted, release: () => void): () => void {
  const hold = (event: NavigateEvent) => {
    const to = new URL(event.destination.url)
    const isOthers = event.navigationType === 'reload' || event.navigationType === 'replace'
    if (!event.cancelable || isOthers || isSamePage(to, globalThis.location) || event.downloadRequest !== null) return
    event.preventDefault()
    const { key } = event.destination
    const isWithin = event.destination.sameDocument
    onAttempt(() => {
      release()
      if (event.navigationType === 'traverse') navigation.traverseTo(key)
      else if (isWithin) history.pushState(null, '', to.href)
      else globalThis.location.assign(to.href)
    })
  }
  navigation.addEventListener('navigate', hold)
  return () => navigation.removeEventListener('navigate', hold)
}

/**
 * Without it: a step of the console is held before it is made; one back or forward has been made when it is heard of, so that
 * the page's own address is put on top of it and nobody else hears of it.
 */
function holdHistory(onAttempt: Attempted, release: () => void): () => void {
  const { history, location } = globalThis
  const original = history.pushState
  const push: History['pushState'] = (...step) => original.apply(history, step)
  let here = new URL(location.href)
  const follow = () => {
    here = new URL(location.href)
  }
  const onTraverse = (event: PopStateEvent) => {
    if (isSamePage(new URL(location.href), here)) return follow()
    event.stopImmediatePropagation()
    push(null, '', here.href)
    onAttempt(() => {
      release()
      history.back()
    })
  }
  history.pushState = (...step) => {
    const [, , to] = step
    if (to == null || isSamePage(new URL(to, location.href), here)) return push(...step)
    onAttempt(() => {
      release()
      history.pushState(...step)
    })
  }
  const steps = ['pushState', 'replaceState'] as const
  for (const step of steps) globalThis.addEventListener(step, follow)
  globalThis.addEventListener('popstate', onTraverse, { capture: true })
  return () => {
    history.pushState = original
    for (const step of steps) globalThis.removeEventListener(step, follow)
    globalThis.removeEventListener('popstate', onTraverse, { capture: true })
  }
}

/**
 * Holds every way out of the current path: links, the menu, back and forward within the console, and closing or
 * reloading the window (there the browser asks by itself). `onAttempt` is told of an attempt that was held, with the
 * function that carries it out after all. Answers the function that ends the watch. Query and fragment may change freely, and
 * a redirect (to sign-in, where the session has ended) is nobody's wish and isn't held.
 */
export function watchLeaving(onAttempt: Attempted): () => void {
  const holdOther = (proceed: () => void) =>
    onAttempt(() => {
      release()
      proceed()
    })
  const release = () => {
    letWindowGo()
    holds.delete(holdOther)
    letHistoryGo()
  }
  const letWindowGo = holdWindow()
  holds.add(holdOther)
  const letHistoryGo =
    'navigation' in globalThis ? holdNavigations(onAttempt, release) : holdHistory(onAttempt, release)
  return release
}
