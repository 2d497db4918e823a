import { useSyncExternalStore } from 'react'

/**
 * The types of annotations that the list shows; empty: all. They hold for every player, so they are kept outside of
 * their machines, and the wiring stores them.
 */
let chosen: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useMomentTypes = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => chosen)

export function chooseMomentTypes(types: ReadonlySet<string>): void {
  chosen = types
  for (const listener of listeners) listener()
}

/** Calls `onChange` with the types after every choice. */
export const watchMomentTypes = (onChange: (types: ReadonlySet<string>) => void): (() => void) =>
  subscribe(() => onChange(chosen))
