import type { AnnotationStore } from '../archive/annotations.ts'
import type { RecorderOptions } from '../archive/recorder.ts'
import type { Init } from '../media/init.ts'
import type { Notes } from '../store/notes.ts'
import type { StreamLogs } from './logs.ts'

export type SupervisorOptions = Pick<
  RecorderOptions,
  'folder' | 'start' | 'isCovered' | 'onSegment' | 'onSealed' | 'onCounts'
> & {
  /** Whether the newest run has sound. */
  lastInit: Init | undefined
  logs: StreamLogs
  annotations: AnnotationStore
  notes: Notes
  allowLoopback: boolean
  isDrained: () => boolean
  /** False while the stream exceeds the recording limit. */
  mayRecord: () => boolean
  now: () => number
  /** 0 to 1, for the jitter of retries. */
  random: () => number
  onDiskFailure?: () => void
  onClockSetBack?: (until: number) => void
}
