import type { Counts } from './chunk-file.ts'
import type { LivePart } from './live-window.ts'
import type { Run } from './run.ts'
import type { Segment } from './segment.ts'
import type { Chunk } from './spool.ts'

/** What a recorder tells, as plain data. A segment is named by its start, and a run by its id. */
export type RecorderEvent =
  /** Comes before the first segment of it. */
  | { kind: 'run'; run: Run }
  | { kind: 'begun'; start: number; run: number }
  | { kind: 'part'; start: number; part: LivePart; arrivedAt: number }
  /** No part follows; `segment` or `dropped` does. */
  | { kind: 'whole'; start: number }
  | { kind: 'dropped'; start: number }
  /** To be listed live. Without a file its bytes are in the memory of the recorder. `isKept`: on the disk for good. */
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
  /** Something could not be written there. */
  | { kind: 'volumeFailed'; volume: number }
  /** Numbers that no chunk keeps. */
  | { kind: 'counts'; counts: Counts }
  /** No keyframe within this many bytes and seconds: nothing is recorded until the next one. */
  | { kind: 'cut'; bytes: number; seconds: number }
  /** The system clock was set back; times before `until` may have recordings already. */
  | { kind: 'setBack'; byMs: number; until: number }
  /** `slow` or `full`, of the disk, else the code of an error. */
  | { kind: 'failure'; reason: string }
