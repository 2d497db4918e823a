/** May be full, forbidden or hold what another version wrote: reading answers unknown, writing whether it is kept. */

export type Store = 'local' | 'session'

const storeOf = (store: Store): Storage => (store === 'local' ? globalThis.localStorage : globalThis.sessionStorage)

export function readStored(store: Store, key: string): unknown {
  try {
    const stored = storeOf(store).getItem(key)
    return stored === null ? null : JSON.parse(stored)
  } catch {
    return null
  }
}

/** Null takes the key away. */
export function writeStored(store: Store, key: string, value: unknown): boolean {
  try {
    if (value === null) storeOf(store).removeItem(key)
    else storeOf(store).setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
