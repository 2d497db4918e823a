import type { ServerContext } from '../context.ts'
import { lumaHeight, lumaOf, lumaWidth } from '../media/picture.ts'
import type { Site } from '../streams/site.ts'
import { readSegment, streamFolder } from './files.ts'
import type { Run, Segment } from './segment-index.ts'

/** A picture differs where at least this many of its 576 points moved by at least that much (of 255). */
const pointsMoved = 4
const byLuma = 24
/** Points that a clock drawn into the picture moves as well: the lowest and the uppermost tenth are left out. */
const rowsIgnored = 3
/** Bytes a second beside their own running mean that make a segment worth a look. */
const suspicious = 1.35
const restMs = 4000
const joinMs = 6000

/** How many points of two grey pictures differ. */
export const differingPoints = (a: Buffer, b: Buffer): number => {
  let count = 0
  for (let at = rowsIgnored * lumaWidth; at < (lumaHeight - rowsIgnored) * lumaWidth; at += 1) {
    if (Math.abs((a[at] ?? 0) - (b[at] ?? 0)) >= byLuma) count += 1
  }
  return count
}

/** What a camera usually sends, in bytes a second: a mean that follows slowly. */
export const createBaseline = () => {
  let mean: number | undefined
  return {
    /** True where a segment is larger than usual. */
    isUnusual: (segment: Segment): boolean => {
      const rate = segment.bytes / segment.duration
      const isAbove = mean !== undefined && rate > mean * suspicious
      mean = mean === undefined ? rate : mean + (rate - mean) * (isAbove ? 0.02 : 0.1)
      return isAbove
    },
  }
}

type Watch = { baseline: ReturnType<typeof createBaseline>; lastLook: number; rest: Buffer | undefined; isLooking: boolean }

/**
 * Notes events where the picture changes: a segment larger than usual is a hint that costs nothing, and only then its
 * keyframe is decoded, tiny, and compared with that of a quiet moment.
 */
export const watchScenes = (context: ServerContext, site: Site): void => {
  const watches = new Map<string, Watch>()

  const look = async (uid: string, segment: Segment, run: Run): Promise<Buffer | undefined> => {
    const bytes = await readSegment(streamFolder(context.dataDir, uid), segment)
    return lumaOf({ init: run.init, segment: bytes, mediaStart: segment.mediaStart })
  }

  const judge = async (uid: string, watch: Watch, segment: Segment, run: Run, isUnusual: boolean): Promise<void> => {
    const luma = await look(uid, segment, run)
    if (luma === undefined) return
    const hasChanged = watch.rest !== undefined && differingPoints(watch.rest, luma) >= pointsMoved
    // Light wanders: a quiet picture is the new measure, changed or not.
    if (!isUnusual) watch.rest = luma
    if (!hasChanged) return
    if (!site.annotations.extendEvent(uid, segment.start - joinMs, segment.finish)) {
      site.annotations.note(uid, 'event', segment.start, segment.finish)
    }
  }

  site.segmentListeners.push((uid, segment, run, previous) => {
    if (site.store.find(uid)?.isArchived !== true) return
    const watch = watches.get(uid) ?? { baseline: createBaseline(), lastLook: 0, rest: undefined, isLooking: false }
    watches.set(uid, watch)
    if (previous?.run !== segment.run) watch.rest = undefined
    const isUnusual = watch.baseline.isUnusual(segment)
    const isDue = isUnusual ? segment.start - watch.lastLook >= restMs / 2 : segment.start - watch.lastLook >= restMs * 15
    if (watch.isLooking || !(isDue || watch.rest === undefined)) return
    watch.lastLook = segment.start
    watch.isLooking = true
    judge(uid, watch, segment, run, isUnusual)
      .catch(() => undefined)
      .finally(() => {
        watch.isLooking = false
      })
  })
}
