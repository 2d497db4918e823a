export type KeyedQueue = {
  /** Runs `work` once everything before it for this key is over; never rejects. */
  run: (key: string, work: () => Promise<void> | void) => Promise<void>
  settled: (key: string) => Promise<void>
  allSettled: () => Promise<void>
}

/** Work that may run at once for different keys, but one after the other for each of them. */
export const createKeyedQueue = (failed: (error: unknown, key: string) => void): KeyedQueue => {
  const last = new Map<string, Promise<void>>()
  return {
    run: (key, work) => {
      const before = last.get(key) ?? Promise.resolve()
      const done = before.then(work).catch((error: unknown) => failed(error, key))
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
