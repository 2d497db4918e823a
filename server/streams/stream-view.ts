import type { Stream } from '../../src/api/contract/stream.ts'
import type { Caller } from '../access/access.ts'
import type { SharedRange } from '../access/shares.ts'
import type { StreamRights } from '../access/stream-rights.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { ServerContext } from '../context.ts'
import { maskCredentials, withoutCredentials } from '../media/source.ts'
import type { Site } from './site.ts'
import { streamFacts } from './stream-facts.ts'
import type { StreamRow } from './stream-store.ts'

/** `share`: the open share of the stream, for who may administer it. */
type Viewer = { caller: Caller; rights: StreamRights; share: { range: SharedRange | null } | undefined }

/** The node that records a stream, or else the one that it is pinned to. */
const nodeOf = (cluster: Cluster, uid: string): Stream['node'] => {
  if (!cluster.isShared) return { id: cluster.nodeId, available: !cluster.isDrained(cluster.nodeId) }
  const holder = cluster.holderOf(uid)
  const id = holder?.nodeId ?? cluster.pinOf(uid) ?? ''
  const available = cluster.isAvailable(id)
  return holder === undefined ? { id, available } : { id, available, since: holder.since, reason: holder.reason }
}

/**
 * A stream as this caller may see it (docs/wire.md §5.2). With canAdmin its sources have their credentials, for other
 * users a mask, for a share neither.
 */
const viewOf = (context: ServerContext, site: Site, row: StreamRow, { caller, rights, share }: Viewer): Stream => {
  const { canAdmin, canViewArchive, canDownload } = rights
  const range = rights.range ?? share?.range ?? null
  const daysAhead = site.daysAhead.get(row.uid)
  const { source, substreamSource = '', onvif, masks = [] } = row
  const hasSub = substreamSource !== ''
  const isMaskedShare = caller.kind === 'share' && masks.length > 0
  const hide = caller.kind === 'share' ? withoutCredentials : maskCredentials
  const shown = (url: string): string => (canAdmin ? url : hide(url))
  const { ptz, ...facts } = streamFacts(context, site, row)
  return {
    uid: row.uid,
    name: row.name,
    streamSource: shown(source),
    ...(hasSub ? { substreamSource: shown(substreamSource) } : {}),
    tags: row.tags,
    ...facts,
    ...(onvif === null || onvif === undefined ? {} : { onvif: { ...onvif, url: shown(onvif.url) } }),
    ...(ptz === undefined || !canAdmin ? {} : { ptz }),
    ...(isMaskedShare ? { renditions: facts.renditions?.filter((name) => name === 'compatible') } : {}),
    location: { name: row.location },
    meta: {
      marker: row.marker,
      canAdmin,
      canViewArchive: canViewArchive || rights.range !== undefined,
      isShared: canAdmin && share !== undefined,
      ...(canDownload === false ? { canDownload } : {}),
    },
    ...(range === null ? {} : { sharedRange: { startTime: range.from, endTime: range.to, live: range.hasLive } }),
    archive: {
      isEnable: row.isArchived,
      depthHours: row.depthHours,
      ...(typeof row.quotaBytes === 'number' ? { quotaBytes: row.quotaBytes } : {}),
      ...(typeof daysAhead === 'number' && canViewArchive ? { daysAhead } : {}),
    },
    live: { onDemand: row.isOnDemand },
    node: nodeOf(context.cluster, row.uid),
    ...(masks.length > 0 ? { masks } : {}),
  }
}

/** Streams as this caller may see them, without those that the caller may not view. */
export const streamViews = async (
  context: ServerContext,
  site: Site,
  caller: Caller,
  rows: readonly StreamRow[],
): Promise<Stream[]> => {
  const uids = rows.map(({ uid }) => uid)
  const rights = await context.access.rightsTo(caller, uids)
  const open = await context.shares.openOf(uids.filter((uid) => rights.get(uid)?.canAdmin === true))
  return rows.flatMap((row) => {
    const own = rights.get(row.uid)
    return own === undefined ? [] : [viewOf(context, site, row, { caller, rights: own, share: open.get(row.uid) })]
  })
}
