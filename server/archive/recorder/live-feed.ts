import { guarded } from '../../guarded.ts'
import type { Counts } from '../format/chunk-file.ts'
import type { LiveWindow } from './live-window.ts'
import type { RecorderEvent } from './recorder-events.ts'
import type { Run } from '../format/run.ts'
import type { Segment } from '../format/segment.ts'
import type { Chunk } from '../format/spool.ts'

export type FeedOptions = {
  live: LiveWindow
  /** Reads a segment, or one of its parts by index, from the recorder. */
  read: (start: number, part?: number) => Promise<Buffer | undefined>
  /** A segment was written. `isKept`: for the archive, not for live only. */
  onSegment?: (segment: Segment, run: Run, isKept: boolean) => void
  onSealed?: (chunk: Chunk, run: Run) => void
  onCounts?: (counts: Counts) => void
  onVolumeFailed?: (volume: number) => void
  onFailure?: (reason: string) => void
  /** A segment of this size ended without a keyframe: nothing is recorded until the next one. */
  onCut?: (bytes: number, seconds: number) => void
  onClockSetBack?: (byMs: number, until: number) => void
}

/** More runs than the segments that wait to be written can have. */
const maxRuns = 64

/** Applies a recorder's events to a live window, and passes on those that concern others. */
export const createLiveFeed = (options: FeedOptions): ((event: RecorderEvent) => void) => {
  const { live, read } = options
  const runs = new Map<number, Run>()

  const addRun = (run: Run): void => {
    runs.set(run.id, run)
    const [oldest] = runs.keys()
    if (runs.size > maxRuns && oldest !== undefined) runs.delete(oldest)
  }

  const listSegment = (event: Extract<RecorderEvent, { kind: 'segment' }>): void => {
    const { segment, sequence, discontinuity, targetDuration, arrivedAt, isKept } = event
    const run = runs.get(segment.run)
    if (run === undefined) return
    const { start, file } = segment
    const parts = live.opened().find((each) => each.start === start)?.parts ?? []
    const inMemory = file === '' ? { readFromMemory: () => read(start) } : {}
    live.add({ ...segment, ...inMemory, sequence, discontinuity, arrivedAt, parts }, run, targetDuration)
    if (file !== '') options.onSegment?.(segment, run, isKept)
  }

  const take = (event: RecorderEvent): void => {
    switch (event.kind) {
      case 'run':
        return addRun(event.run)
      case 'begun': {
        const { start } = event
        const run = runs.get(event.run)
        if (run !== undefined) live.begin({ start, run, read: (part) => read(start, part) })
        return undefined
      }
      case 'part':
        return live.grow(event.start, event.part, event.arrivedAt)
      case 'whole':
        return live.end(event.start)
      case 'dropped':
        return live.drop(event.start)
      case 'segment':
        return listSegment(event)
      case 'sealed':
        return options.onSealed?.(event.chunk, event.run)
      case 'volumeFailed':
        return options.onVolumeFailed?.(event.volume)
      case 'counts':
        return options.onCounts?.(event.counts)
      case 'cut':
        return options.onCut?.(event.bytes, event.seconds)
      case 'setBack':
        return options.onClockSetBack?.(event.byMs, event.until)
      case 'failure':
        return options.onFailure?.(event.reason)
    }
  }
  return guarded('live: feed', take)
}
