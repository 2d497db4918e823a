import { EventEmitter, once } from 'node:events'
import type { Run, Segment } from './segment-index.ts'

/** A segment as the live playlist lists it, with its place in the numbers that never go back. `held` are its bytes where the disk took none. */
export type LiveSegment = Segment & { sequence: number; discontinuity: number; arrivedAt: number; held?: Buffer }

const keptMs = 60_000
/** Those in memory are kept for little longer than they are listed, so that fifty cameras on a full disk don't fill that too. */
const heldMs = 30_000
/** What a live playlist lists: this, or four target durations; three are the least (rfc8216bis §6.2.2). */
const leastListedSeconds = 16

/** The newest segments of one stream, in memory: what live playlists, previews and figures are made from. */
export type LiveWindow = {
  /** `targetDuration` in seconds. */
  add: (segment: LiveSegment, run: Run, targetDuration: number) => void
  /** Newest last; only what joins the newest run's tracks, and no more than a playlist lists. */
  listed: () => { segments: LiveSegment[]; runs: Map<number, Run> }
  /** Also those that left the playlist lately: a player may still ask for them. */
  find: (start: number) => LiveSegment | undefined
  findRun: (id: number) => Run | undefined
  newest: () => { segment: LiveSegment; run: Run } | undefined
  /** Bits a second over the last seconds; 0 where nothing comes. */
  bitrate: () => number
  /** Waits for the next segment; false when `signal` ends the wait. */
  next: (signal: AbortSignal) => Promise<boolean>
  clear: () => void
}

export const createLiveWindow = (): LiveWindow => {
  let segments: LiveSegment[] = []
  const runs = new Map<number, Run>()
  let listedSeconds = leastListedSeconds
  const news = new EventEmitter()
  news.setMaxListeners(0)

  const listedSegments = (): LiveSegment[] => {
    const newest = segments.at(-1)
    if (newest === undefined) return []
    const { hasSound } = runs.get(newest.run) ?? {}
    let first = segments.length - 1
    let seconds = 0
    while (first >= 0) {
      const each = segments[first]
      if (each === undefined || seconds >= listedSeconds || runs.get(each.run)?.hasSound !== hasSound) break
      if (newest.finish - each.start > 2000 * listedSeconds) break
      seconds += each.duration
      first -= 1
    }
    return segments.slice(first + 1)
  }

  return {
    add: (segment, run, targetDuration) => {
      runs.set(run.id, run)
      listedSeconds = Math.max(leastListedSeconds, 4 * targetDuration)
      // Those that left the playlist stay fetchable for about two windows.
      const kept = Math.max(keptMs, 3000 * listedSeconds)
      segments = segments.filter((each) => segment.arrivedAt - each.arrivedAt < (each.held === undefined ? kept : heldMs))
      segments.push(segment)
      for (const id of runs.keys()) if (!segments.some((each) => each.run === id)) runs.delete(id)
      news.emit('segment')
    },
    listed: () => ({ segments: listedSegments(), runs }),
    find: (start) => segments.find((each) => each.start === start),
    findRun: (id) => runs.get(id),
    newest: () => {
      const segment = segments.at(-1)
      const run = segment === undefined ? undefined : runs.get(segment.run)
      return segment === undefined || run === undefined ? undefined : { segment, run }
    },
    bitrate: () => {
      const last = segments.slice(-8)
      const seconds = last.reduce((sum, each) => sum + each.duration, 0)
      return seconds === 0 ? 0 : Math.round((last.reduce((sum, each) => sum + each.bytes, 0) * 8) / seconds)
    },
    next: (signal) =>
      once(news, 'segment', { signal }).then(
        () => true,
        () => false,
      ),
    clear: () => {
      segments = []
      runs.clear()
    },
  }
}
