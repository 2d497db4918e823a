/** What a view reads of the stills, in every animation frame. Moments in epoch milliseconds. */
export interface Stills {
  /** Null if there is no picture of the moment, or none yet. */
  read(at: number): ImageBitmap | null
  /** Changes with each still that is added. */
  version(): number
}

export interface StillCache extends Stills {
  /**
   * Fetches the stills that aren't cached, a few at a time, in order; ends early if some requests fail. Rejects when
   * aborted.
   */
  fill(moments: readonly number[], fetchStill: FetchStill, signal: AbortSignal): Promise<void>
  clear(): void
}

/** Resolves with null if there is no picture of the moment, with undefined if the request failed. */
type FetchStill = (at: number, signal: AbortSignal) => Promise<Blob | null | undefined>

/** A still takes about 70 kB of memory. */
const maxStills = 240
const maxInFlight = 3
/** Twice the height of the strip, for screens with two pixels to a CSS pixel. */
const resizeHeight = 96

/** Null for a file that isn't a picture, as another request would bring the same. */
const decode = (file: Blob): Promise<ImageBitmap | null> =>
  createImageBitmap(file, { resizeHeight, resizeQuality: 'medium' }).catch(() => null)

/** Caches decoded pictures, so that drawing them costs no time; the least recently fetched are closed. */
export function createStillCache(): StillCache {
  const stills = new Map<number, ImageBitmap | null>()
  let version = 0

  const put = (at: number, still: ImageBitmap | null) => {
    stills.get(at)?.close()
    stills.delete(at)
    stills.set(at, still)
    for (const [oldestAt, oldest] of stills) {
      if (stills.size <= maxStills) break
      oldest?.close()
      stills.delete(oldestAt)
    }
    version += 1
  }

  return {
    read: (at) => stills.get(at) ?? null,
    version: () => version,
    async fill(moments, fetchStill, signal) {
      const missing = moments.filter((at) => !stills.has(at))
      const fetchNext = async (): Promise<void> => {
        const at = missing.shift()
        if (at === undefined) return
        const file = await fetchStill(at, signal)
        if (file === undefined) return
        const still = file === null ? null : await decode(file)
        if (signal.aborted) {
          still?.close()
          throw new DOMException('The request was aborted', 'AbortError')
        }
        put(at, still)
        await fetchNext()
      }
      await Promise.all(Array.from({ length: maxInFlight }, fetchNext))
    },
    clear() {
      for (const still of stills.values()) still?.close()
      stills.clear()
      version += 1
    },
  }
}
