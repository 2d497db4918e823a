import { monotonicNow } from '../monotonic.ts'

/** `length`: its bytes. */
type Content = { readonly length: number }

export type ByteCache<Kept extends Content = Buffer> = {
  get: (key: string) => Kept | undefined
  put: (key: string, content: Kept) => void
}

/** Caches bytes, and drops the oldest above `maxBytes`. `keptMs`: their lifetime, without a limit by default. */
export const createByteCache = <Kept extends Content = Buffer>(
  maxBytes: number,
  keptMs = Infinity,
  now = monotonicNow,
): ByteCache<Kept> => {
  const kept = new Map<string, { content: Kept; madeAt: number }>()
  let bytes = 0

  const drop = (key: string): void => {
    bytes -= kept.get(key)?.content.length ?? 0
    kept.delete(key)
  }

  return {
    get: (key) => {
      const known = kept.get(key)
      return known !== undefined && now() - known.madeAt < keptMs ? known.content : undefined
    },
    put: (key, content) => {
      drop(key)
      kept.set(key, { content, madeAt: now() })
      bytes += content.length
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) return
        drop(oldest)
      }
    },
  }
}
