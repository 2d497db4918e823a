import type { HealthWarning, ServerContext } from '../../context.ts'
import { minuteMs } from '../../durations.ts'
import { addCounter, addGauge } from '../../metrics/measures.ts'
import { nameOfBucket } from '../../storage/bucket-url.ts'
import type { Site } from '../../streams/site.ts'

/** A chunk takes a minute and is handed in within seconds: an older one is late. */
const lateMs = 10 * minuteMs
const maxNamed = 5

/** Adds what waits on the disks for the bucket to metrics, health and the facts of this node. */
export const watchHandIn = ({ cluster, metrics, healthSources, now }: ServerContext, site: Site): void => {
  const { handIn, volumes } = site
  const bucket = volumes.bucket()
  if (bucket === undefined) return
  const waitedMs = (): number => {
    const { oldest } = handIn.spooled()
    return oldest === undefined ? 0 : Math.max(0, now() - oldest)
  }
  cluster.factSources.push(() => ({ spoolBytes: handIn.spooled().bytes, handInLagMs: waitedMs() }))
  addGauge(
    metrics,
    'sightline_hand_in_bytes',
    'Bytes of recordings that wait for the bucket',
    () => handIn.spooled().bytes,
  )
  addGauge(
    metrics,
    'sightline_hand_in_oldest_seconds',
    'Age of the oldest recording that waits for the bucket',
    () => waitedMs() / 1000,
  )
  addCounter(
    metrics,
    'sightline_hand_in_chunks',
    'Chunks handed in to the bucket, since the start',
    () => handIn.counts().handedIn,
  )
  addCounter(
    metrics,
    'sightline_hand_in_failures',
    'Failed attempts to hand in a chunk, since the start',
    () => handIn.counts().failed,
  )

  healthSources.push((): HealthWarning[] => {
    const volume = volumes.all().find(({ id }) => id === bucket)
    const isBehind = handIn.failure() !== undefined || volume?.state === 'away' || waitedMs() > lateMs
    const path = nameOfBucket(volume?.path ?? '')
    const conflicts = handIn.conflicts().slice(0, maxNamed)
    const warnings: HealthWarning[] = [
      ...(isBehind ? [{ code: 'ARCHIVE_BUCKET_BEHIND', volumes: [{ path, bytes: handIn.spooled().bytes }] }] : []),
      ...(conflicts.length > 0
        ? [{ code: 'ARCHIVE_BUCKET_CONFLICT', volumes: conflicts.map((name) => ({ path: name, bytes: 0 })) }]
        : []),
      ...(volumes.isFull() ? [{ code: 'ARCHIVE_SPOOL_FULL' }] : []),
    ]
    return warnings.map((warning) => ({ ...warning, isPrivate: true }))
  })
}
