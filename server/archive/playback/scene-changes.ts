import { guarded } from '../../guarded.ts'
import { fragmentOf, readKeyframe } from '../../media/keyframes.ts'
import { lumaHeight, lumaOf, lumaWidth } from '../../media/picture.ts'
import { ignoreDiskErrors } from '../../store/background-writes.ts'
import type { Site } from '../../streams/site.ts'
import type { Run } from '../format/run.ts'
import type { Segment } from '../format/segment.ts'

/**
 * A scene has changed if at least `minPoints` of its 576 points differ in luma by at least `minDifference` (of 255).
 */
const minPoints = 6
const minDifference = 24
/** Rows at the top and at the bottom that are ignored, as cameras draw clocks there. */
const rowsIgnored = 3
/** One keyframe of one stream is decoded per interval, so that fifty cameras cost as much as four. */
const checkEveryMs = 1500
/** A stream whose newest segment exceeds its mean bit rate by this factor is checked sooner, with this weight. */
const unusualRate = 1.2
const unusualWeight = 20
/** A changed scene becomes the reference after so many checks without another change. */
const checksToAccept = 8
/** A change within this time of an event extends it, or within two checks if that is longer; never over a gap. */
const minJoinMs = 6000

const differingPoints = (a: Buffer, b: Buffer): number => {
  let count = 0
  for (let at = rowsIgnored * lumaWidth; at < (lumaHeight - rowsIgnored) * lumaWidth; at += 1) {
    if (Math.abs((a[at] ?? 0) - (b[at] ?? 0)) >= minDifference) count += 1
  }
  return count
}

/** Compares the pictures of one stream, in order: true while the scene differs from the reference. */
export const createSceneComparison = (): ((luma: Buffer) => boolean) => {
  let reference: Buffer | undefined
  let before: Buffer | undefined
  let checksUnchanged = 0
  return (luma) => {
    const hasChanged = reference !== undefined && differingPoints(reference, luma) >= minPoints
    const isStill = before !== undefined && differingPoints(before, luma) < minPoints
    checksUnchanged = hasChanged && isStill ? checksUnchanged + 1 : 0
    // Daylight changes slowly: each picture without a change is the next reference.
    if (!hasChanged || checksUnchanged >= checksToAccept) reference = luma
    before = luma
    return hasChanged
  }
}

type WatchedStream = {
  hasChanged: (luma: Buffer) => boolean
  /** Bytes per second. */
  meanRate: number
  /** The start of the segment that was checked last. */
  lastChecked: number
  /** The start of the first segment after the last gap: an event from before it isn't extended. */
  since: number
  /** The newest segment. */
  segment: Segment
  run: Run
  weight: number
}

/** Checks the keyframes of archived streams, and adds an event where the scene changes. */
export const watchScenes = (site: Site): void => {
  const watched = new Map<string, WatchedStream>()
  let lastCheckAt = -checkEveryMs
  let isChecking = false

  const check = async (uid: string, each: WatchedStream): Promise<void> => {
    const { segment, run, lastChecked: before, since } = each
    each.lastChecked = segment.start
    each.weight = 1
    const load = async () => {
      const { init } = run
      const picture = await readKeyframe(segment.bytes, init, (offset, bytes) =>
        site.read(uid, segment, { within: { offset, bytes } }),
      ).catch(() => undefined)
      return picture === undefined ? undefined : { init, segment: fragmentOf(picture, 0, init.video), mediaStart: 0 }
    }
    const luma = await lumaOf({ key: `${uid} ${segment.start}`, caller: 'scenes', load })
    if (luma === undefined || !each.hasChanged(luma)) return
    const joinMs = Math.max(minJoinMs, 2 * (segment.start - before))
    const after = Math.max(since, segment.start - joinMs)
    await ignoreDiskErrors(async () => {
      if (await site.annotations.extendEvent(uid, after, segment.finish)) return
      await site.annotations.add(uid, 'event', segment.start, segment.finish)
    })
  }

  const checkNext = async (): Promise<void> => {
    const due = ({ segment, lastChecked: at, weight }: WatchedStream) => Math.abs(segment.start - at) * weight
    let next: [string, WatchedStream] | undefined
    for (const entry of watched) if (next === undefined || due(entry[1]) > due(next[1])) next = entry
    if (next === undefined || next[1].lastChecked === next[1].segment.start) return
    isChecking = true
    lastCheckAt = performance.now()
    try {
      await check(...next)
    } finally {
      isChecking = false
    }
  }
  const checkGuarded = guarded('scenes: check', checkNext)

  site.segmentListeners.push((uid, segment, run) => {
    if (site.store.find(uid)?.isArchived !== true) {
      watched.delete(uid)
      return
    }
    const rate = segment.bytes / segment.duration
    const stream = watched.get(uid) ?? {
      hasChanged: createSceneComparison(),
      meanRate: rate,
      lastChecked: 0,
      since: 0,
      weight: 1,
      segment,
      run,
    }
    watched.set(uid, stream)
    if (rate > stream.meanRate * unusualRate) stream.weight = unusualWeight
    stream.meanRate += (rate - stream.meanRate) * 0.05
    if (segment.start - stream.segment.finish > minJoinMs) stream.since = segment.start
    stream.segment = segment
    stream.run = run
    if (!isChecking && performance.now() - lastCheckAt >= checkEveryMs) checkGuarded()
  })
}
