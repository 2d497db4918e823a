import { currentAddress, putAddress } from './location.ts'
import { readStored, writeStored } from './storage.ts'

/** A visitor with the share token of one stream (docs/wire.md §5.2, share). */
export interface Guest {
  uid: string
  token: string
}

const key = 'share-token'

/**
 * The share token of the stream in the address, from the fragment or from before a reload; null without one. A token in
 * the fragment moves to session storage.
 */
export function readGuest(): Guest | null {
  const { pathname, hash, search } = currentAddress()
  const uid = sharedStream(pathname)
  if (uid === null) return null
  const token = tokenIn(hash)
  if (token !== '') {
    writeStored('session', key, { uid, token })
    putAddress(pathname + search, { replace: true })
    return { uid, token }
  }
  const stored = readStored('session', key)
  return isGuest(stored) && stored.uid === uid ? stored : null
}

/** Another link to the stream on the screen changes only the fragment: the console is loaded again for its token. */
export function watchShareLinks(): void {
  globalThis.addEventListener('hashchange', () => {
    const { pathname, hash } = currentAddress()
    if (sharedStream(pathname) !== null && tokenIn(hash) !== '') globalThis.location.reload()
  })
}

/** Stores the token that the password of the share was exchanged for. */
export const keepGuest = (guest: Guest): boolean => writeStored('session', key, guest)

/** Unlike in a form, `+` in a fragment is no space. */
const tokenIn = (hash: string): string => new URLSearchParams(hash.slice(1).replaceAll('+', '%2B')).get('token') ?? ''

function sharedStream(pathname: string): string | null {
  const uid = /^\/stream\/([^/]+)\/view\/?$/.exec(pathname)?.[1]
  try {
    return uid === undefined ? null : decodeURIComponent(uid)
  } catch {
    return null
  }
}

const isGuest = (value: unknown): value is Guest =>
  typeof value === 'object' &&
  value !== null &&
  'uid' in value &&
  typeof value.uid === 'string' &&
  'token' in value &&
  typeof value.token === 'string'
