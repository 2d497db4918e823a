/**
 * Storage may be full, forbidden or written by another version of the console: reads return an unknown value or null,
 * writes return whether they worked.
 */

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

/** Calls `onChange` when another tab changes a key of the local storage, or clears it. */
export function watchStored(key: string, onChange: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === key || event.key === null) onChange()
  }
  globalThis.addEventListener('storage', onStorage)
  return () => globalThis.removeEventListener('storage', onStorage)
}

/** Null removes the key. */
export function writeStored(store: Store, key: string, value: unknown): boolean {
  try {
    if (value === null) storeOf(store).removeItem(key)
    else storeOf(store).setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
