export type KeyedQueue = {
  /** Runs `work` once all earlier work for this key has ended. Never rejects: errors go to `onError`. */
  run: (key: string, work: () => Promise<void> | void) => Promise<void>
  settled: (key: string) => Promise<void>
  allSettled: () => Promise<void>
}

/** Runs the work for each key one by one, and that for different keys at the same time. */
export const createKeyedQueue = (onError: (error: unknown, key: string) => void): KeyedQueue => {
  const last = new Map<string, Promise<void>>()
  return {
    run: (key, work) => {
      const before = last.get(key) ?? Promise.resolve()
      const done = before.then(work).catch((error: unknown) => onError(error, key))
      last.set(key, done)
      return done.finally(() => {
        if (last.get(key) === done) last.delete(key)
      })
    },
    settled: (key) => last.get(key) ?? Promise.resolve(),
    allSettled: async () => {
      await Promise.all(last.values())
    },
  }
}
