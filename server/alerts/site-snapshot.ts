import { diskOf, usedPercent } from '../administration/host-load.ts'
import type { NodeFacts } from '../cluster/facts.ts'
import type { ServerContext } from '../context.ts'
import { minuteMs } from '../durations.ts'
import { monotonicNow } from '../monotonic.ts'
import { nameOfBucket } from '../storage/bucket-url.ts'
import type { Volume } from '../storage/volumes.ts'
import type { Site } from '../streams/site.ts'
import {
  diskFaultOf,
  diskSubject,
  faultOf,
  nodeOf,
  nodeSubject,
  recordingSubject,
  streamOf,
  subjectOf,
  volumeSubject,
  type Condition,
  type SiteSnapshot,
} from './happenings.ts'

/** How long recording counts as failing after a write failed. */
const writeFailureMs = minuteMs
/** Volumes that are reported of a node, and characters of their paths: both are written with each beat. */
const maxVolumes = 32
const maxPath = 500

const pathOf = ({ path, isBucket }: Pick<Volume, 'path' | 'isBucket'>): string =>
  (isBucket ? nameOfBucket(path) : path).slice(0, maxPath)

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
  let isDiskKnown = false

  const streamsFailing = (): Omit<Condition, 'time'>[] =>
    site.store.all().flatMap((row) => {
      const { status, failureReason: reason } = site.status(row)
      const { uid: streamId, name: streamName } = row
      return status === 'failed'
        ? [{ subject: subjectOf(streamId), on: 'stream.failed' as const, reason, streamId, streamName }]
        : []
    })

  const awayPaths = (isBucket: boolean): string[] =>
    site.volumes.all().flatMap((each) => (each.isBucket === isBucket && each.state !== 'there' ? pathOf(each) : []))

  const ownFaults = () => ({
    volumes: site.volumes
      .all()
      .flatMap((each) => (each.isBucket ? [] : [pathOf(each)]))
      .slice(0, maxVolumes),
    missingVolumes: awayPaths(false).slice(0, maxVolumes),
    isRecordingFailing: monotonicNow() - writeFailedAt < writeFailureMs,
  })
  if (cluster.isShared) cluster.factSources.push(ownFaults)

  /** What is known of the disks of available nodes: of this one now, of others from their last beats. */
  const disksOfNodes = async (): Promise<{ id?: string; facts: NodeFacts }[]> => {
    // A data folder that can't be read says nothing of the rest of the site.
    const disk = await diskOf(dataDir).catch(() => undefined)
    isDiskKnown = disk !== undefined
    const facts = { ...(disk === undefined ? {} : { diskUsedPercent: usedPercent(disk) }), ...ownFaults() }
    if (!cluster.isShared) return [{ facts }]
    return cluster
      .nodes()
      .filter(({ isAvailable }) => isAvailable)
      .map((node) => (node.id === cluster.nodeId ? { id: node.id, facts } : node))
  }

  const disksFailing = async (): Promise<string[]> =>
    (await disksOfNodes()).flatMap(({ id, facts }) => {
      const { diskUsedPercent = 0, isRecordingFailing = false, missingVolumes = [] } = facts
      return [
        ...(diskUsedPercent >= settings.diskWarningPercent ? [diskSubject(id)] : []),
        ...(isRecordingFailing ? [recordingSubject(id)] : []),
        ...missingVolumes.map((path) => volumeSubject(path, id)),
      ]
    })

  const othersFailing = async (): Promise<Omit<Condition, 'time'>[]> => {
    const subjects = [
      ...(await disksFailing()),
      ...awayPaths(true).map((path) => volumeSubject(path)),
      ...(store.isAway() ? ['database'] : []),
      ...cluster.nodes().flatMap(({ id, isLost }) => (isLost ? [nodeSubject(id)] : [])),
    ]
    return subjects.map((subject) => ({ subject, ...faultOf(subject) }))
  }

  /**
   * Nothing is known of a node that is lost or has left, that has just started, or whose version doesn't report it; nor
   * of a volume that its node has forgotten.
   */
  const stateOfNode = (
    nodeId: string,
    fact: 'diskUsedPercent' | 'missingVolumes',
    path: string | undefined,
  ): 'well' | 'gone' | 'unknown' => {
    const node = cluster.nodes().find(({ id }) => id === nodeId)
    if (node === undefined) return 'gone'
    if (path !== undefined && node.facts.volumes?.includes(path) === false) return 'gone'
    const isReported = nodeId === cluster.nodeId || node.facts[fact] !== undefined
    return node.isAvailable && isReported ? 'well' : 'unknown'
  }

  /**
   * Nothing is known of a volume that was forgotten; nor, in a cluster, of what an earlier version reported without a
   * node, unless it is a bucket.
   */
  const isKnownWithoutNode = (path: string | undefined): boolean =>
    path === undefined
      ? !cluster.isShared
      : site.volumes.all().some((each) => pathOf(each) === path && (each.isBucket || !cluster.isShared))

  const stateOf: SiteSnapshot['stateOf'] = (subject) => {
    const lostNode = nodeOf(subject)
    // A node that is neither lost nor available has left or was removed.
    if (lostNode !== undefined) return cluster.isAvailable(lostNode) ? 'well' : 'gone'
    const fault = diskFaultOf(subject)
    if (fault !== undefined) {
      const { kind, nodeId, path } = fault
      if (kind === 'disk' && !isDiskKnown && (nodeId ?? cluster.nodeId) === cluster.nodeId) return 'unknown'
      if (nodeId !== undefined) return stateOfNode(nodeId, kind === 'disk' ? 'diskUsedPercent' : 'missingVolumes', path)
      return isKnownWithoutNode(path) ? 'well' : 'gone'
    }
    const streamId = streamOf(subject)
    if (streamId === undefined) return 'well'
    const row = site.store.find(streamId)
    const status = row === undefined ? 'paused' : site.status(row).status
    if (status === 'running') return 'well'
    return status === 'paused' ? 'gone' : 'unknown'
  }

  return async () => {
    // Streams last: messages list only so much, and that many cameras often fail for another of these reasons.
    const conditions = [...(await othersFailing()), ...streamsFailing()]
    const failing = new Map(
      conditions.map((each) => [each.subject, { ...each, time: before.get(each.subject)?.time ?? now() }]),
    )
    before = failing
    return { failing, stateOf, nameOf: (streamId) => site.store.find(streamId)?.name ?? streamId }
  }
}
