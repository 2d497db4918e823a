import { setImmediate } from 'node:timers/promises'
import type { TableSegment } from '../archive/format/chunk-table.ts'
import { writeChunk } from '../archive/repair/write-chunk.ts'
import { newRunKey, runOf } from '../archive/format/run.ts'
import type { Site } from '../streams/site.ts'
import { createComposer, type Composer } from './composer.ts'
import { passSeconds, type Scene } from './scenes.ts'
import { drawClock, drawStills } from './stills.ts'

const segmentSeconds = 2
const daySeconds = 86_400
const chunkSeconds = 60
/** Chunks written at the same time: syncing several takes a disk as long as one, and composing them takes less. */
const writtenAtOnce = 8

/** A time range in epoch seconds. */
export type SecondsRange = { from: number; to: number }

type Composed = Omit<TableSegment, 'offset'>

const composeChunk = async (
  composer: Composer,
  range: SecondsRange,
  runStart: number,
  signal: AbortSignal,
): Promise<{ contents: Buffer[]; segments: Composed[] }> => {
  const contents: Buffer[] = []
  const segments: Composed[] = []
  for (let second = range.from; second < range.to && !signal.aborted; second += segmentSeconds) {
    const duration = Math.min(segmentSeconds, range.to - second)
    const mediaStart = second - runStart
    const bytes = composer.fragment(second, duration, mediaStart)
    const start = second * 1000
    segments.push({ start, finish: start + duration * 1000, duration, mediaStart, bytes: bytes.length })
    contents.push(bytes)
    // Composing runs on the main thread, so it yields regularly.
    if (segments.length % 10 === 0) await setImmediate()
  }
  return { contents, segments }
}

/** Cuts a range into chunks at whole minutes. */
const chunksOf = ({ from, to }: SecondsRange): SecondsRange[] => {
  const end = Math.min(to, (Math.floor(from / chunkSeconds) + 1) * chunkSeconds)
  return end >= to ? [{ from, to }] : [{ from, to: end }, ...chunksOf({ from: end, to })]
}

/** Records a range of a scene's past, and an event for each car. `next`: the range that follows after a gap. */
export type Backdate = (range: SecondsRange, next: SecondsRange | undefined) => Promise<void>

/** Draws a scene as on the day of `moment`, epoch seconds. Throws if ffmpeg fails. */
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
    let hasWritten = false
    const remaining = chunksOf(range)
    while (remaining.length > 0) {
      const composed: Awaited<ReturnType<typeof composeChunk>>[] = []
      for (const chunk of remaining.splice(0, writtenAtOnce)) {
        if (Math.floor(chunk.from / daySeconds) !== day) {
          day = Math.floor(chunk.from / daySeconds)
          composer.setClock(await drawClock(scene, chunk.from, signal))
        }
        const isKnown = (await site.index.startingAt(uid, chunk.from * 1000)) !== undefined
        if (!isKnown) composed.push(await composeChunk(composer, chunk, range.from, signal))
        if (signal.aborted) return
      }
      const { volume } = site.volumes.targetFor(uid)
      const written = await Promise.all(
        composed.map((each) => writeChunk({ ...site, uid }, { recording, run, volume, ...each })),
      )
      hasWritten ||= written.includes(true)
    }
    const { everySeconds } = scene.car
    await site.annotations.deleteEvents(uid, range.from * 1000, range.to * 1000)
    for (let pass = Math.ceil(range.from / everySeconds) * everySeconds; pass < range.to; pass += everySeconds) {
      await site.annotations.add(uid, 'event', pass * 1000, Math.min(pass + passSeconds, range.to) * 1000)
    }
    if (hasWritten && next !== undefined) await site.annotations.add(uid, 'status', range.to * 1000, next.from * 1000)
  }
}
