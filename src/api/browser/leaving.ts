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

/**
 * Holds every way out of the current path: links, the menu, back and forward within the console, and closing or
 * reloading the window (there the browser asks by itself). `onAttempt` is told of an attempt that was held, with the
 * function that carries it out after all. Answers the function that ends the watch. Query and fragment may change freely, and
 * a redirect (to sign-in, where the session has ended) is nobody's wish and isn't held.
 */
export function watchLeaving(onAttempt: (proceed: () => void) => void): () => void {
  const hold = (event: NavigateEvent) => {
    const to = new URL(event.destination.url)
    const isOthers = event.navigationType === 'reload' || event.navigationType === 'replace'
    const stays = to.origin === globalThis.location.origin && to.pathname === globalThis.location.pathname
    if (!event.cancelable || isOthers || stays || event.downloadRequest !== null) return
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
  const holdOther = (proceed: () => void) =>
    onAttempt(() => {
      release()
      proceed()
    })
  const release = () => {
    letWindowGo()
    holds.delete(holdOther)
    if ('navigation' in globalThis) navigation.removeEventListener('navigate', hold)
  }
  const letWindowGo = holdWindow()
  holds.add(holdOther)
  if ('navigation' in globalThis) navigation.addEventListener('navigate', hold)
  return release
}
