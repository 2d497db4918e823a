import { availableParallelism } from 'node:os'
import { unavailable } from '../http/api-error.ts'
import { monotonicNow } from '../monotonic.ts'
import { createByteCache } from './byte-cache.ts'
import { createShared, createSlots } from './slots.ts'
import { createSubsegments } from './subsegments.ts'

/** What is watched: a live stream, which its viewers share, or the archive by one viewer. */
type WatchedMedia = { name: string; caller: string; signal: AbortSignal }

export type Transcodes = {
  /**
   * Registers that media is watched. Throws 503 if too much is watched already, or if the processor is overloaded and
   * the media is new or given up. `segmentSeconds`: the length of a segment, after which the next request comes.
   */
  admit: (name: string, segmentSeconds: number) => void
  /**
   * Makes a transcode once for all who request the same `key`, and caches it. A caller's transcodes are made one after
   * the other: two at once would both be late.
   */
  make: (
    key: string,
    requester: Pick<WatchedMedia, 'caller' | 'signal'>,
    work: (signal: AbortSignal) => Promise<Buffer | undefined>,
  ) => Promise<Buffer | undefined>
  /** The same for a subsegment, from work that makes all those of its segment. */
  makeSubsegment: ReturnType<typeof createSubsegments>
}

/** Media is watched for this long after a request, or for so many segments if that is longer. */
const watchedMs = 20_000
const watchedSegments = 2
const retryAfterSeconds = 10
const cacheBytes = 64 * 1024 * 1024
const cachedMs = 120_000
/** A player that plays requests the next subsegment within two seconds, and repeats what takes it too long sooner. */
const lingerMs = 3000

/**
 * `maxWatched`: how much may be watched at once. `overloadedSamples`: how many samples an overload of the processor has
 * lasted; 0: there is none. Each sample after the first gives up what was watched last.
 */
export const createTranscodes = (
  maxWatched: () => number,
  overloadedSamples: () => number,
  now = monotonicNow,
): Transcodes => {
  /** Until when each media is watched without another request, by `now`; the newest media last. */
  const watchedUntil = new Map<string, number>()
  /** How many samples of this overload have given something up. */
  let givenUp = 0
  const limits = { size: availableParallelism(), runningEach: 1, waiting: 64, waitingEach: 16 }
  const slots = createSlots({ queue: 'transcodes', ...limits })
  const shared = createShared<Buffer | undefined>(slots)
  const cache = createByteCache(cacheBytes, cachedMs)

  return {
    admit: (name, segmentSeconds) => {
      const durationMs = Math.max(watchedMs, watchedSegments * segmentSeconds * 1000)
      for (const [each, end] of watchedUntil) if (end <= now()) watchedUntil.delete(each)
      const samples = overloadedSamples()
      const due = Math.max(0, samples - 1)
      if (due > givenUp) for (const each of [...watchedUntil.keys()].slice(givenUp - due)) watchedUntil.delete(each)
      givenUp = due
      const max = samples > 0 ? 0 : maxWatched()
      if (!watchedUntil.has(name) && watchedUntil.size >= max) throw unavailable(retryAfterSeconds)
      watchedUntil.set(name, Math.max(watchedUntil.get(name) ?? 0, now() + durationMs))
    },
    make: async (key, { caller, signal }, work) => {
      const known = cache.get(key)
      if (known !== undefined) return known
      const made = await shared(key, { caller, signal }, work)
      if (made !== undefined) cache.put(key, made)
      return made
    },
    makeSubsegment: createSubsegments(slots, cache, { lingerMs, now }),
  }
}
