/** The address below the console's base path, and the ways to change it. wouter patches history to dispatch these events. */

const base = '/ui'
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

export function watchAddress(onChange: (address: BrowserAddress) => void): () => void {
  const tell = () => onChange(currentAddress())
  for (const change of changes) globalThis.addEventListener(change, tell)
  return () => {
    for (const change of changes) globalThis.removeEventListener(change, tell)
  }
}

/** Goes to an address below the base path; `replace` leaves no step to go back to. */
export function goTo(href: string, { replace }: { replace: boolean }): void {
  const { history } = globalThis
  if (replace) history.replaceState(null, '', base + href)
  else history.pushState(null, '', base + href)
}
