import { availableParallelism } from 'node:os'
import { unavailable } from '../http/api-error.ts'
import { createPictureCache } from './picture-cache.ts'
import { createShared, createSlots } from './slots.ts'

/** What is watched: a live stream, which its viewers share, or the archive by one viewer. */
export type WatchedMedia = { name: string; caller: string; signal: AbortSignal }

export type Transcodes = {
  /**
   * Starts a viewing, or keeps it going. Throws 503 if too many are going on. `segmentSeconds`: the length of a
   * segment, after which the next request comes.
   */
  admit: (name: string, segmentSeconds: number) => void
  /** Makes a transcode once for all who request the same `key`, and caches it. */
  make: (
    key: string,
    requester: Pick<WatchedMedia, 'caller' | 'signal'>,
    work: (signal: AbortSignal) => Promise<Buffer | undefined>,
  ) => Promise<Buffer | undefined>
}

/** A viewing ends after this long without a request, or after so many segments if that is longer. */
const viewingMs = 20_000
const viewingSegments = 2
const maxLastsMs = 600_000
const retryAfterSeconds = 10
const keptBytes = 64 * 1024 * 1024
const keptMs = 120_000

/** `maxViewings`: how many viewings may go on at once. */
export const createTranscodes = (maxViewings: () => number, now: () => number): Transcodes => {
  /** When each viewing ends without another request, epoch milliseconds. */
  const endsAt = new Map<string, number>()
  const slots = createSlots({ size: availableParallelism(), waiting: 64, waitingEach: 16 })
  const shared = createShared<Buffer | undefined>(slots)
  const kept = createPictureCache(keptBytes, now, keptMs)

  return {
    admit: (name, segmentSeconds) => {
      const lastsMs = Math.max(viewingMs, viewingSegments * segmentSeconds * 1000)
      // A later end than `maxLastsMs` from now is left only after the clock was set back.
      for (const [each, end] of endsAt) if (end <= now() || end > now() + maxLastsMs) endsAt.delete(each)
      if (!endsAt.has(name) && endsAt.size >= maxViewings()) throw unavailable(retryAfterSeconds)
      endsAt.set(name, Math.max(endsAt.get(name) ?? 0, now() + lastsMs))
    },
    make: async (key, { caller, signal }, work) => {
      const known = kept.get(key)
      if (known !== undefined) return known
      const made = await shared(key, { caller, signal }, work)
      if (made !== undefined) kept.put(key, made)
      return made
    },
  }
}
