import { availableParallelism } from 'node:os'
import { unavailable } from '../http/api-error.ts'
import { createPictureCache } from './picture-cache.ts'
import { createShared, createSlots } from './slots.ts'

/** What is watched: a live stream, which its viewers share, or the archive by one viewer. */
export type WatchedMedia = { name: string; caller: string; signal: AbortSignal }

export type Transcodes = {
  /** Throws 503 if too many others are watched. `seconds`: of a segment, after which the next one is asked for. */
  enter: (line: string, seconds: number) => void
  /** Makes what `key` names once for all who want it, and keeps it for a while. */
  make: (
    key: string,
    line: Pick<WatchedMedia, 'caller' | 'signal'>,
    work: (signal: AbortSignal) => Promise<Buffer | undefined>,
  ) => Promise<Buffer | undefined>
}

/** A viewer who asks for nothing this long has left; longer where segments are. */
const lingerMs = 20_000
const lingerSegments = 2
const retryAfterSeconds = 10
const keptBytes = 64 * 1024 * 1024
const keptMs = 120_000

/** `most`: what may be watched at once. */
export const createTranscodes = (most: () => number, now: () => number): Transcodes => {
  const leaving = new Map<string, number>()
  const slots = createSlots({ size: availableParallelism(), waiting: 64, waitingEach: 16 })
  const shared = createShared<Buffer | undefined>(slots)
  const kept = createPictureCache(keptBytes, now, keptMs)

  return {
    enter: (line, seconds) => {
      const lasts = Math.max(lingerMs, lingerSegments * seconds * 1000)
      for (const [each, until] of leaving) if (until <= now() || until > now() + 600_000) leaving.delete(each)
      if (!leaving.has(line) && leaving.size >= most()) throw unavailable(retryAfterSeconds)
      leaving.set(line, Math.max(leaving.get(line) ?? 0, now() + lasts))
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
