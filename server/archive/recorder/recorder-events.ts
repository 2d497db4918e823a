import type { Counts } from '../format/chunk-file.ts'
import type { LivePart } from './live-window.ts'
import type { Run } from '../format/run.ts'
import type { Segment } from '../format/segment.ts'
import type { Chunk } from '../format/spool.ts'

/** Events of a recorder, as plain data. A segment is identified by its start (epoch milliseconds), a run by its id. */
export type RecorderEvent =
  /** Precedes the first segment of the run. */
  | { kind: 'run'; run: Run }
  /** A segment begins. */
  | { kind: 'begun'; start: number; run: number }
  | { kind: 'part'; start: number; part: LivePart; arrivedAt: number }
  /** The segment has all of its parts; `segment` or `dropped` follows. */
  | { kind: 'whole'; start: number }
  /** The segment isn't listed: the disk is too slow, or there was a fault. */
  | { kind: 'dropped'; start: number }
  /**
   * A segment to list live. If `file` is empty, its bytes are in the recorder's memory. `isKept`: it is in a chunk of
   * the archive, not in one for live only.
   */
  | {
      kind: 'segment'
      segment: Segment
      sequence: number
      discontinuity: number
      targetDuration: number
      arrivedAt: number
      isKept: boolean
    }
  /** A chunk is ready to be indexed. */
  | { kind: 'sealed'; chunk: Chunk; run: Run }
  /** A write to this volume failed. */
  | { kind: 'volumeFailed'; volume: number }
  /** The least values of the recording's counters from now on, where no chunk stores them. */
  | { kind: 'counts'; counts: Counts }
  /** A segment of this size ended without a keyframe: nothing is recorded until the next keyframe. */
  | { kind: 'cut'; bytes: number; seconds: number }
  /** The system clock was set back; times before `until` may have recordings already. */
  | { kind: 'setBack'; byMs: number; until: number }
  /** A segment or chunk couldn't be written: the disk is `slow` or `full`, else the code of an error. */
  | { kind: 'failure'; reason: string }
