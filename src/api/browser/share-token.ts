import { currentAddress, putAddress } from './location.ts'
import { readStored, writeStored } from './storage.ts'

/** A token that opens one stream to a visitor (docs/wire.md §5.2, share). */
export interface Guest {
  uid: string
  token: string
}

const key = 'share-token'

/** Moves a token from the address's fragment to session storage, for reloads; null without a token for this stream. */
export function readGuest(): Guest | null {
  const { pathname, hash, search } = globalThis.location
  const uid = sharedStream(pathname)
  if (uid === null) return null
  const token = new URLSearchParams(hash.slice(1)).get('token')
  if (token !== null && token !== '') {
    writeStored('session', key, { uid, token })
    putAddress(currentAddress().pathname + search, { replace: true })
    return { uid, token }
  }
  const stored = readStored('session', key)
  return isGuest(stored) && stored.uid === uid ? stored : null
}

/** Keeps the token that its password was given for. */
export const keepGuest = (guest: Guest): boolean => writeStored('session', key, guest)

function sharedStream(pathname: string): string | null {
  const part = /^\/ui\/stream\/([^/]+)\/view\/?$/.exec(pathname)?.[1]
  try {
    return part === undefined ? null : decodeURIComponent(part)
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
