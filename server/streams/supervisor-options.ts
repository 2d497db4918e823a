import type { AnnotationStore } from '../archive/annotations.ts'
import type { Run, Segment, SegmentIndex } from '../archive/segment-index.ts'
import type { StreamLogs } from './logs.ts'

export type SupervisorOptions = {
  dataDir: string
  index: SegmentIndex
  logs: StreamLogs
  annotations: AnnotationStore
  allowLoopback: boolean
  isDrained: () => boolean
  /** False while the stream exceeds the recording limit. */
  mayRecord: () => boolean
  now: () => number
  /** 0 to 1, for the jitter of retries. */
  random: () => number
  onSegment?: (uid: string, segment: Segment, run: Run, previous: Segment | undefined) => void
  onDiskFailure?: () => void
  onClockSetBack?: (until: number) => void
}
