import type { AnnotationStore } from '../archive/events/annotations.ts'
import type { PreparedRecording } from '../archive/archive.ts'
import type { FeedOptions } from '../archive/recorder/live-feed.ts'
import type { KnownTracks } from '../ingest/plan.ts'
import type { IngestPool } from '../ingest/pool.ts'
import type { Tracks } from '../media/encoding.ts'
import type { OutageLog } from '../outage-log.ts'
import type { BackgroundWrites } from '../store/background-writes.ts'
import type { StreamLogs } from './logs.ts'
import type { LostTime } from './lost-time.ts'

export type SupervisorOptions = Required<Pick<FeedOptions, 'onSegment'>> & {
  pool: IngestPool
  prepared: PreparedRecording
  /** Prepares the archive again, after the ingest host has died. */
  prepare: () => Promise<PreparedRecording>
  /** The tracks of the source, if it needs no probe. */
  known: KnownTracks
  /** Stores the tracks of a source for the next start. */
  keepTracks: (source: string, tracks: Tracks) => void
  logs: StreamLogs
  outageLog: OutageLog
  annotations: AnnotationStore
  backgroundWrites: BackgroundWrites
  allowLoopback: boolean
  /** True while a server without a cluster is drained: it records nothing. */
  isDrained: () => boolean
  /** False while this node joins: it records live only, and reports no outages. */
  isHolding: () => boolean
  /**
   * True while this node holds the stream, and until its supervisor stops after another node has taken the stream over.
   */
  isKeeping: () => boolean
  onKeyframe: () => void
  /** False while the stream exceeds the recording limit. */
  mayRecord: () => boolean
  lostTime: LostTime
  now: () => number
  onDiskFailure: () => void
  /** `until`: the moment up to which the stream has recordings already, epoch milliseconds. */
  onClockSetBack: (until: number) => void
}
