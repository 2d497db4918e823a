import { consolePath } from '../console-path.ts'

/** The only module that reads, watches and writes the address. Its paths are relative to the console's. */

/** wouter dispatches `pushState` and `replaceState` events on the window. */
const changes = ['popstate', 'pushState', 'replaceState', 'hashchange'] as const

export interface BrowserAddress {
  pathname: string
  search: string
  hash: string
}

export function currentAddress(): BrowserAddress {
  const { pathname, search, hash } = globalThis.location
  const withoutBase = pathname.startsWith(`${consolePath}/`) ? pathname.slice(consolePath.length) : pathname
  return { pathname: pathname === consolePath ? '/' : withoutBase, search, hash }
}

/** `href` is relative to the console's path; `replace` adds no history entry. */
export function putAddress(href: string, { replace }: { replace: boolean }): void {
  try {
    if (replace) globalThis.history.replaceState(null, '', consolePath + href)
    else globalThis.history.pushState(null, '', consolePath + href)
  } catch (error) {
    // Firefox and Safari allow 200 and 100 changes in ten seconds. The address stays as it is.
    if (!(error instanceof DOMException)) throw error
  }
}

interface Watch {
  /** The address was changed, but not by `write`. */
  onChange: () => void
  /** Returns true to block leaving the current path; `proceed` then leaves it later. */
  block: (proceed: () => void) => boolean
}

/**
 * Watches and writes the address. With the Navigation API, Back, Forward and links can be blocked before they happen.
 * Without it, or where it can't cancel one, such as Back again before the page was touched, a navigation is undone by
 * pushing the page's own address again.
 */
export function watchLocation({ onChange, block }: Watch) {
  const hasNavigation = 'navigation' in globalThis
  let currentHref = globalThis.location.href
  let isWriting = false

  function write(href: string, options: { replace: boolean }): void {
    isWriting = true
    putAddress(href, options)
    isWriting = false
    currentHref = globalThis.location.href
  }

  function onAddressChange(): void {
    if (isWriting) return
    const { pathname, search, hash } = new URL(currentHref)
    const isLeaving = pathname !== globalThis.location.pathname
    if (isLeaving && block(() => globalThis.history.back())) {
      write(pathname.slice(consolePath.length) + search + hash, { replace: false })
      return
    }
    currentHref = globalThis.location.href
    onChange()
  }

  function onNavigate(event: NavigateEvent): void {
    const { navigationType, destination } = event
    const { key, sameDocument, url } = destination
    const { origin, pathname } = new URL(url)
    const isSamePage = origin === globalThis.location.origin && pathname === globalThis.location.pathname
    if (!event.cancelable || isSamePage || event.downloadRequest !== null) return
    const isBlocked =
      navigationType === 'traverse'
        ? block(() => navigation.traverseTo(key))
        : navigationType === 'push' && !sameDocument && block(() => globalThis.location.assign(url))
    if (isBlocked) event.preventDefault()
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
