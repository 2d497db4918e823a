/** Reads, watches and writes the address; paths are below the console's base path. Nothing else does. */

const base = '/ui'
/** wouter dispatches `pushState` and `replaceState` events on the window. */
const changes = ['popstate', 'pushState', 'replaceState', 'hashchange'] as const

export interface BrowserAddress {
  pathname: string
  search: string
  hash: string
}

export function currentAddress(): BrowserAddress {
  const { pathname, search, hash } = globalThis.location
  const below = pathname === base ? '/' : pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname
  return { pathname: below, search, hash }
}

/** Writes an address below the base path; `replace` adds no history entry. */
export function putAddress(href: string, { replace }: { replace: boolean }): void {
  if (replace) globalThis.history.replaceState(null, '', base + href)
  else globalThis.history.pushState(null, '', base + href)
}

interface Watch {
  onChange: () => void
  /** Returns true to block leaving the current path; `proceed` then leaves it later. */
  hold: (proceed: () => void) => boolean
}

/**
 * Watches and writes the address. With the Navigation API, Back, Forward and links can be blocked before they happen.
 * Without it, a navigation is undone by pushing the page's own address again.
 */
export function watchLocation({ onChange, hold }: Watch) {
  const hasNavigation = 'navigation' in globalThis
  let here = globalThis.location.href
  let isOwn = false

  function write(href: string, options: { replace: boolean }): void {
    isOwn = true
    putAddress(href, options)
    isOwn = false
    here = globalThis.location.href
  }

  function onAddressChange(): void {
    if (isOwn) return
    const { pathname, search, hash } = new URL(here)
    const isLeaving = !hasNavigation && pathname !== globalThis.location.pathname
    if (isLeaving && hold(() => globalThis.history.back())) {
      write(pathname.slice(base.length) + search + hash, { replace: false })
      return
    }
    here = globalThis.location.href
    onChange()
  }

  function onNavigate(event: NavigateEvent): void {
    const { navigationType, destination } = event
    const { key, sameDocument, url } = destination
    const { origin, pathname } = new URL(url)
    const isSamePage = origin === globalThis.location.origin && pathname === globalThis.location.pathname
    if (!event.cancelable || isSamePage || event.downloadRequest !== null) return
    if (
      navigationType === 'traverse'
        ? hold(() => navigation.traverseTo(key))
        : navigationType === 'push' && !sameDocument && hold(() => globalThis.location.assign(url))
    )
      event.preventDefault()
  }

  for (const change of changes) globalThis.addEventListener(change, onAddressChange)
  if (hasNavigation) navigation.addEventListener('navigate', onNavigate)
  return {
    write,
    close(): void {
      for (const change of changes) globalThis.removeEventListener(change, onAddressChange)
      if (hasNavigation) navigation.removeEventListener('navigate', onNavigate)
    },
  }
}
