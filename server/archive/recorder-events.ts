import type { Counts } from './chunk-file.ts'
import type { LivePart } from './live-window.ts'
import type { Run } from './run.ts'
import type { Segment } from './segment.ts'
import type { Chunk } from './spool.ts'

/** Events of a recorder, as plain data. A segment is identified by its start, a run by its id. */
export type RecorderEvent =
  /** Precedes the first segment of the run. */
  | { kind: 'run'; run: Run }
  | { kind: 'begun'; start: number; run: number }
  | { kind: 'part'; start: number; part: LivePart; arrivedAt: number }
  /** No more parts follow; `segment` or `dropped` does. */
  | { kind: 'whole'; start: number }
  | { kind: 'dropped'; start: number }
  /**
   * Ready to be listed live. Without a file its bytes are in the recorder's memory. `isKept`: it is on disk for good.
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
  | { kind: 'sealed'; chunk: Chunk; run: Run }
  /** A write to this volume failed. */
  | { kind: 'volumeFailed'; volume: number }
  /** Counters that no chunk stores. */
  | { kind: 'counts'; counts: Counts }
  /** No keyframe within this many bytes and seconds: nothing is recorded until the next one. */
  | { kind: 'cut'; bytes: number; seconds: number }
  /** The system clock was set back; times before `until` may have recordings already. */
  | { kind: 'setBack'; byMs: number; until: number }
  /** `slow` or `full`, of the disk, else the code of an error. */
  | { kind: 'failure'; reason: string }
