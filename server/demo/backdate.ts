import { setImmediate } from 'node:timers/promises'
import type { TableSegment } from '../archive/chunk-table.ts'
import { keepPast } from '../archive/past.ts'
import { newRunKey, runOf } from '../archive/run.ts'
import type { Site } from '../streams/site.ts'
import { createComposer, type Composer } from './composer.ts'
import { passSeconds, type Scene } from './scenes.ts'
import { drawClock, drawStills } from './stills.ts'

const segmentSeconds = 2
const daySeconds = 86_400
/** Seconds of a chunk. */
const chunkSeconds = 60

/** Epoch seconds. */
export type SecondsRange = { from: number; to: number }

type Composed = Omit<TableSegment, 'offset'>

const composeChunk = async (
  composer: Composer,
  range: SecondsRange,
  runStart: number,
  signal: AbortSignal,
): Promise<{ parts: Buffer[]; segments: Composed[] }> => {
  const parts: Buffer[] = []
  const segments: Composed[] = []
  for (let second = range.from; second < range.to && !signal.aborted; second += segmentSeconds) {
    const duration = Math.min(segmentSeconds, range.to - second)
    const mediaStart = second - runStart
    const bytes = composer.fragment(second, duration, mediaStart)
    const start = second * 1000
    segments.push({ start, finish: start + duration * 1000, duration, mediaStart, bytes: bytes.length })
    parts.push(bytes)
    // Composing runs on the main thread.
    if (segments.length % 10 === 0) await setImmediate()
  }
  return { parts, segments }
}

/** Records a range of a scene's past, with true times and cars as events; `next` is the range after a gap. */
export type Backdate = (range: SecondsRange, next: SecondsRange | undefined) => Promise<void>

/** Draws a scene as on the day of `moment`, in epoch seconds. Throws if ffmpeg can't. */
export const createBackdate = async (
  site: Site,
  uid: string,
  scene: Scene,
  moment: number,
  signal: AbortSignal,
): Promise<Backdate> => {
  const { recording } = await site.index.open(uid)
  const stills = await drawStills(scene, moment, signal)
  const composer = createComposer(scene, stills)
  let day = Math.floor(moment / daySeconds)
  return async (range, next) => {
    const run = runOf(site.runId(), newRunKey(), stills.init)
    let isNew = false
    let from = range.from
    while (from < range.to && !signal.aborted) {
      const to = Math.min(range.to, (Math.floor(from / chunkSeconds) + 1) * chunkSeconds)
      if (Math.floor(from / daySeconds) !== day) {
        day = Math.floor(from / daySeconds)
        composer.setClock(await drawClock(scene, from, signal))
      }
      if ((await site.index.startingAt(uid, from * 1000)) !== undefined) {
        from = to
        continue
      }
      const { parts, segments } = await composeChunk(composer, { from, to }, range.from, signal)
      if (signal.aborted) return
      isNew =
        (await keepPast(
          { ...site, uid },
          { recording, run, segments, parts, volume: site.volumes.placeOf(uid).volume },
        )) || isNew
      from = to
    }
    if (signal.aborted) return
    const { everySeconds } = scene.car
    await site.annotations.forgetEvents(uid, range.from * 1000, range.to * 1000)
    for (let pass = Math.ceil(range.from / everySeconds) * everySeconds; pass < range.to; pass += everySeconds) {
      await site.annotations.note(uid, 'event', pass * 1000, Math.min(pass + passSeconds, range.to) * 1000)
    }
    if (isNew && next !== undefined) await site.annotations.note(uid, 'status', range.to * 1000, next.from * 1000)
  }
}
