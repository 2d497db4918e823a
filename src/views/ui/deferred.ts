import { useEffect, useState } from 'react'

export interface Deferred<Module> {
  loaded: Module | null
  load: () => Promise<Module>
}

/** A module that no first screen needs. A load that failed is tried again the next time. */
export function deferred<Module>(fetch: () => Promise<Module>): Deferred<Module> {
  let loading: Promise<Module> | null = null
  const one: Deferred<Module> = {
    loaded: null,
    load() {
      loading ??= fetch().then(
        (module) => (one.loaded = module),
        (error: unknown) => {
          loading = null
          throw error
        },
      )
      return loading
    },
  }
  return one
}

/** Null until the module is loaded. Not React's `lazy`, which keeps its fallback for 300 ms even if it is. */
export function useDeferred<Module>(one: Deferred<Module>, isNeeded = true): Module | null {
  const [{ error }, setOutcome] = useState<{ error?: unknown }>({})
  const shown = isNeeded ? one.loaded : null
  useEffect(() => {
    // By what was rendered: the module may have arrived since.
    if (!isNeeded || shown !== null) return undefined
    let isMounted = true
    one.load().then(
      () => isMounted && setOutcome({}),
      (failure: unknown) => isMounted && setOutcome({ error: failure }),
    )
    return () => {
      isMounted = false
    }
  }, [one, isNeeded, shown])
  if (error !== undefined) throw error
  return shown
}
