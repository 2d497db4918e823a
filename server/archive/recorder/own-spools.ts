import { liveFileMs } from '../format/segment.ts'
import type { RecorderEvent } from './recorder-events.ts'

/** The spools that the recorder of a stream has in use, by their starts in epoch milliseconds. */
export type RecorderSpools = {
  /** Registers an event of the recorder. */
  follow: (event: RecorderEvent) => void
  has: (start: number) => boolean
  /** The recorder has ended. */
  forget: () => void
}

const createRecorderSpools = (): RecorderSpools => {
  /** The segments that aren't written yet: each may be the first one of a spool. */
  const growing = new Set<number>()
  const kept = new Set<number>()
  /** Spools for live only, with the ends of their newest segments. */
  const live = new Map<number, number>()

  const addSegment = ({ segment, isKept, targetDuration }: Extract<RecorderEvent, { kind: 'segment' }>): void => {
    const { start, finish, file } = segment
    growing.delete(start)
    // The recorder deletes these without an event.
    for (const [spool, until] of live) if (Math.abs(start - until) > liveFileMs(targetDuration)) live.delete(spool)
    if (file === '') return
    const spool = Number.parseInt(file, 10)
    if (isKept) kept.add(spool)
    else live.set(spool, finish)
  }

  return {
    follow: (event) => {
      if (event.kind === 'begun') growing.add(event.start)
      if (event.kind === 'dropped') growing.delete(event.start)
      if (event.kind === 'segment') addSegment(event)
      if (event.kind === 'sealed') kept.delete(event.chunk.start)
    },
    has: (start) => growing.has(start) || kept.has(start) || live.has(start),
    forget: () => {
      for (const starts of [growing, kept, live]) starts.clear()
    },
  }
}

/** The spools of this process's recorders, by what these report: the clock, by which they begin, may be set back. */
export const createOwnSpools = () => {
  const byUid = new Map<string, RecorderSpools>()
  return {
    /** For the next recorder of a stream, in place of the last one's. */
    ofNext: (uid: string): RecorderSpools => {
      const spools = createRecorderSpools()
      byUid.set(uid, spools)
      return spools
    },
    has: (uid: string, start: number): boolean => byUid.get(uid)?.has(start) === true,
  }
}
