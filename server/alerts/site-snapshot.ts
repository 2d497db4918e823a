import { diskOf, usedPercent } from '../administration/host-load.ts'
import type { ServerContext } from '../context.ts'
import { minuteMs } from '../durations.ts'
import { monotonicNow } from '../monotonic.ts'
import type { Site } from '../streams/site.ts'
import {
  diskSubject,
  faultOf,
  nodeOf,
  nodeOfDisk,
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

  /** The subjects of the disks that are nearly full; of other nodes as they reported with their last beats. */
  const disksFull = async (): Promise<string[]> => {
    const ownPercent = usedPercent(await diskOf(dataDir))
    const isFull = (percent: number) => percent >= settings.diskWarningPercent
    if (!cluster.isShared) return isFull(ownPercent) ? ['disk'] : []
    return cluster
      .nodes()
      .filter(({ isAvailable }) => isAvailable)
      .filter(({ id, facts }) => isFull(id === cluster.nodeId ? ownPercent : (facts.diskUsedPercent ?? 0)))
      .map(({ id }) => diskSubject(id))
  }

  const othersFailing = async (): Promise<Omit<Condition, 'time'>[]> => {
    const subjects = [
      ...(await disksFull()),
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

  /** Nothing is known of the disk of a node that is lost or has left, or that has just started. */
  const stateOfDisk = (nodeId: string): 'well' | 'gone' | 'unknown' => {
    const node = cluster.nodes().find(({ id }) => id === nodeId)
    if (node === undefined) return 'gone'
    const isMeasured = nodeId === cluster.nodeId || node.facts.diskUsedPercent !== undefined
    return node.isAvailable && isMeasured ? 'well' : 'unknown'
  }

  const stateOf: SiteSnapshot['stateOf'] = (subject) => {
    const diskOwner = nodeOfDisk(subject)
    if (diskOwner !== undefined) return stateOfDisk(diskOwner)
    // What an earlier version reported, without a node: its end isn't known.
    if (subject === 'disk' && cluster.isShared) return 'gone'
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
