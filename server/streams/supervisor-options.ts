import type { AnnotationStore } from '../archive/annotations.ts'
import type { Run, Segment, SegmentIndex } from '../archive/segment-index.ts'
import type { StreamLogs } from './logs.ts'

/** What one stream is kept going with. */
export type SupervisorOptions = {
  dataDir: string
  index: SegmentIndex
  logs: StreamLogs
  annotations: AnnotationStore
  allowLoopback: boolean
  /** The node rests: no stream is wanted. */
  isDrained: () => boolean
  /** Whether it is recorded where it is to be: it isn't while it sends too much. */
  mayRecord: () => boolean
  now: () => number
  /** Between 0 and 1, for the jitter of retries. */
  random: () => number
  onSegment?: (uid: string, segment: Segment, run: Run, previous: Segment | undefined) => void
  onDiskFailure?: () => void
  /** Our clock was set back: until the given moment something may have been recorded for a time already. */
  onClockSetBack?: (until: number) => void
}
