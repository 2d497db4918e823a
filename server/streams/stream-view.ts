import type { Stream } from '../../src/api/contract/stream.ts'
import type { Caller } from '../access/access.ts'
import type { ServerContext } from '../context.ts'
import { maskCredentials, withoutCredentials } from '../media/source.ts'
import type { Site } from './site.ts'
import type { StreamRow } from './stream-store.ts'

/** A stream as this caller may see it (contract.md §3): credentials only with canAdmin, left out for a share. */
export const streamView = (context: ServerContext, site: Site, caller: Caller, row: StreamRow): Stream => {
  const rights = context.access.streamRights(caller, row.uid)
  const supervisor = site.supervisor(row.uid)
  const canAdmin = rights?.canAdmin ?? false
  const shown = caller.kind === 'share' ? withoutCredentials(row.source) : maskCredentials(row.source)
  return {
    uid: row.uid,
    name: row.name,
    streamSource: canAdmin ? row.source : shown,
    tags: row.tags,
    ...site.status(row),
    location: { name: row.location },
    meta: {
      marker: row.marker,
      canAdmin,
      canViewArchive: rights?.canViewArchive ?? false,
      isShared: canAdmin && context.shares.isOpen(row.uid),
    },
    archive: { isEnable: row.isArchived, depthHours: row.depthHours },
    live: { onDemand: row.isOnDemand },
    node: { id: context.settings.nodeId, available: !context.node.isDrained() },
    viewers: supervisor?.viewers() ?? 0,
    bitrate: supervisor?.live.bitrate() ?? 0,
  }
}
