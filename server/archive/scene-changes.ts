import { guarded } from '../guarded.ts'
import { lumaHeight, lumaOf, lumaWidth } from '../media/picture.ts'
import { ignoreDiskErrors } from '../store/background-writes.ts'
import type { Site } from '../streams/site.ts'
import type { Run } from './run.ts'
import type { Segment } from './segment.ts'

/** A scene has changed if at least this many of its 576 points differ by at least that much (of 255). */
const pointsMoved = 6
const byLuma = 24
/** Rows at top and bottom are ignored: clocks are drawn there. */
const rowsIgnored = 3
/** Decodes one keyframe of all streams per interval, so that fifty cameras cost as much as four. */
const lookEveryMs = 1500
/** A segment larger than its stream's mean by this factor is checked first. */
const unusual = 1.2
const hintWeight = 20
/** A changed scene that stays for this many checks becomes the normal one. */
const looksToSettle = 8
const minJoinMs = 6000

export const differingPoints = (a: Buffer, b: Buffer): number => {
  let count = 0
  for (let at = rowsIgnored * lumaWidth; at < (lumaHeight - rowsIgnored) * lumaWidth; at += 1) {
    if (Math.abs((a[at] ?? 0) - (b[at] ?? 0)) >= byLuma) count += 1
  }
  return count
}

/** Returns a function that checks one stream's pictures in order: true while the scene differs from the reference. */
export const createSceneMemory = (): ((luma: Buffer) => boolean) => {
  let normal: Buffer | undefined
  let before: Buffer | undefined
  let still = 0
  return (luma) => {
    const hasChanged = normal !== undefined && differingPoints(normal, luma) >= pointsMoved
    still = hasChanged && before !== undefined && differingPoints(before, luma) < pointsMoved ? still + 1 : 0
    // Daylight changes slowly, so every normal picture becomes the reference.
    if (!hasChanged || still >= looksToSettle) normal = luma
    before = luma
    return hasChanged
  }
}

type Watched = {
  hasChanged: (luma: Buffer) => boolean
  meanRate: number
  lastLook: number
  segment: Segment
  run: Run
  weight: number
}

export const watchScenes = (site: Site): void => {
  const watched = new Map<string, Watched>()
  let lastLook = -lookEveryMs
  let isLooking = false

  const check = async (uid: string, each: Watched): Promise<void> => {
    const { segment, run, lastLook: before } = each
    each.lastLook = segment.start
    each.weight = 1
    const load = async () => {
      const bytes = await site.read(uid, segment).catch(() => undefined)
      return bytes === undefined ? undefined : { init: run.init, segment: bytes, mediaStart: segment.mediaStart }
    }
    const luma = await lumaOf({ key: `${uid} ${segment.start}`, caller: 'scenes', load })
    if (luma === undefined || !each.hasChanged(luma)) return
    const joinMs = Math.max(minJoinMs, 2 * (segment.start - before))
    await ignoreDiskErrors(async () => {
      if (await site.annotations.extendEvent(uid, segment.start - joinMs, segment.finish)) return
      await site.annotations.note(uid, 'event', segment.start, segment.finish)
    })
  }

  const lookAtNext = async (): Promise<void> => {
    const due = ({ segment, lastLook: at, weight }: Watched) => Math.abs(segment.start - at) * weight
    let next: [string, Watched] | undefined
    for (const entry of watched) if (next === undefined || due(entry[1]) > due(next[1])) next = entry
    if (next === undefined || next[1].lastLook === next[1].segment.start) return
    isLooking = true
    lastLook = performance.now()
    try {
      await check(...next)
    } finally {
      isLooking = false
    }
  }
  const lookGuarded = guarded('scenes: look', lookAtNext)

  site.segmentListeners.push((uid, segment, run) => {
    if (site.store.find(uid)?.isArchived !== true) {
      watched.delete(uid)
      return
    }
    const rate = segment.bytes / segment.duration
    const known = watched.get(uid) ?? {
      hasChanged: createSceneMemory(),
      meanRate: rate,
      lastLook: 0,
      weight: 1,
      segment,
      run,
    }
    watched.set(uid, known)
    if (rate > known.meanRate * unusual) known.weight = hintWeight
    known.meanRate += (rate - known.meanRate) * 0.05
    known.segment = segment
    known.run = run
    if (!isLooking && performance.now() - lastLook >= lookEveryMs) lookGuarded()
  })
}
