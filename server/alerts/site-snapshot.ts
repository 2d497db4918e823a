import { diskOf, usedPercent } from '../administration/host-load.ts'
import type { ServerContext } from '../context.ts'
import { minuteMs } from '../durations.ts'
import { monotonicNow } from '../monotonic.ts'
import type { Site } from '../streams/site.ts'
import {
  faultOf,
  nodeOf,
  nodeSubject,
  streamOf,
  subjectOf,
  volumeSubject,
  type Condition,
  type SiteSnapshot,
} from './happenings.ts'

/** How long recording counts as failing after a write failed. */
const writeFailureMs = minuteMs

/** Returns a function that takes a snapshot of the site: which streams, disks and databases fail, and since when. */
export const createSiteSnapshots = (
  { store, settings, cluster, dataDir, now }: Pick<ServerContext, 'store' | 'settings' | 'cluster' | 'dataDir' | 'now'>,
  site: Pick<Site, 'store' | 'status' | 'volumes' | 'diskFailureListeners'>,
): (() => Promise<SiteSnapshot>) => {
  let writeFailedAt = -Infinity
  site.diskFailureListeners.push(() => {
    writeFailedAt = monotonicNow()
  })
  let before: ReadonlyMap<string, Condition> = new Map()

  const streamsFailing = (): Omit<Condition, 'time'>[] =>
    site.store.all().flatMap((row) => {
      const { status, failureReason: reason } = site.status(row)
      const { uid: streamId, name: streamName } = row
      return status === 'failed'
        ? [{ subject: subjectOf(streamId), on: 'stream.failed' as const, reason, streamId, streamName }]
        : []
    })

  const othersFailing = async (): Promise<Omit<Condition, 'time'>[]> => {
    const used = usedPercent(await diskOf(dataDir))
    const subjects = [
      ...(used >= settings.diskWarningPercent ? ['disk'] : []),
      ...(monotonicNow() - writeFailedAt < writeFailureMs ? ['recording'] : []),
      ...site.volumes
        .all()
        .filter(({ state }) => state !== 'there')
        .map(({ path }) => volumeSubject(path)),
      ...(store.isAway() ? ['database'] : []),
      ...cluster.nodes().flatMap(({ id, isLost }) => (isLost ? [nodeSubject(id)] : [])),
    ]
    return subjects.map((subject) => ({ subject, ...faultOf(subject) }))
  }

  /** A folder of another node, or one that was forgotten: nothing is known of it here. */
  const isElsewhere = (subject: string): boolean =>
    subject.startsWith(volumeSubject('')) && site.volumes.all().every(({ path }) => volumeSubject(path) !== subject)

  const stateOf: SiteSnapshot['stateOf'] = (subject) => {
    const nodeId = nodeOf(subject)
    // A node that is neither lost nor available has left or was removed.
    if (nodeId !== undefined) return cluster.isAvailable(nodeId) ? 'well' : 'gone'
    const streamId = streamOf(subject)
    if (streamId === undefined && isElsewhere(subject)) return cluster.isShared ? 'unknown' : 'gone'
    if (streamId === undefined) return 'well'
    const row = site.store.find(streamId)
    const status = row === undefined ? 'paused' : site.status(row).status
    if (status === 'running') return 'well'
    return status === 'paused' ? 'gone' : 'unknown'
  }

  return async () => {
    const conditions = [...streamsFailing(), ...(await othersFailing())]
    const failing = new Map(
      conditions.map((each) => [each.subject, { ...each, time: before.get(each.subject)?.time ?? now() }]),
    )
    before = failing
    return { failing, stateOf, nameOf: (streamId) => site.store.find(streamId)?.name ?? streamId }
  }
}
