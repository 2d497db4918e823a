import { createByteCache } from './byte-cache.ts'

/** Viewers of a live stream are at most a few segments apart. */
const sharedMs = 20_000
const sharedBytes = 32 * 1024 * 1024

/** Makes a read once for all who request the same `key`. */
export type SharedReads = (key: string, read: () => Promise<Buffer | undefined>) => Promise<Buffer | undefined>

/** The bytes are kept for a while. A read that brought nothing is tried again. */
export const createSharedReads = (): SharedReads => {
  const kept = createByteCache(sharedBytes, sharedMs)
  const running = new Map<string, Promise<Buffer | undefined>>()

  const begin = async (key: string, read: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> => {
    try {
      const bytes = await read()
      if (bytes !== undefined) kept.put(key, bytes)
      return bytes
    } finally {
      running.delete(key)
    }
  }

  return async (key, read) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const reading = running.get(key) ?? begin(key, read)
    running.set(key, reading)
    return reading
  }
}
