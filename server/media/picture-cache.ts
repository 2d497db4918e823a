export type PictureCache = {
  get: (key: string) => Buffer | undefined
  put: (key: string, picture: Buffer) => void
}

/** Drops the oldest pictures above `maxBytes`. `keptMs`: the lifetime of a picture, unlimited by default. */
export const createPictureCache = (maxBytes: number, now: () => number, keptMs = Infinity): PictureCache => {
  const kept = new Map<string, { picture: Buffer; madeAt: number }>()
  let bytes = 0

  const drop = (key: string): void => {
    bytes -= kept.get(key)?.picture.length ?? 0
    kept.delete(key)
  }

  return {
    get: (key) => {
      const known = kept.get(key)
      return known !== undefined && Math.abs(now() - known.madeAt) < keptMs ? known.picture : undefined
    },
    put: (key, picture) => {
      drop(key)
      kept.set(key, { picture, madeAt: now() })
      bytes += picture.length
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) return
        drop(oldest)
      }
    },
  }
}
