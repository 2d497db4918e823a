import type { Stream } from '../../src/api/contract/stream.ts'
import type { Caller } from '../access/access.ts'
import type { ServerContext } from '../context.ts'
import type { Track } from '../media/fragments.ts'
import { maskCredentials, withoutCredentials } from '../media/source.ts'
import type { Site } from './site.ts'
import type { StreamRow } from './stream-store.ts'

/** The time scale of sound is its sample rate. */
const trackView = ({ kind, codec, width, height, timescale }: Track) =>
  kind === 'video' ? { type: kind, codec, width, height } : { type: kind, codec, sampleRate: timescale }

/** A stream as this caller may see it (docs/wire.md §5.2): credentials only with canAdmin, omitted for a share. */
export const streamView = (context: ServerContext, site: Site, caller: Caller, row: StreamRow): Stream => {
  const rights = context.access.streamRights(caller, row.uid)
  const supervisor = site.supervisor(row.uid)
  const status = site.status(row)
  const newest = supervisor?.live.newest()
  const canAdmin = rights?.canAdmin ?? false
  const { source, substreamSource = '' } = row
  const hasSub = substreamSource !== ''
  const hide = caller.kind === 'share' ? withoutCredentials : maskCredentials
  const shown = (address: string): string => (canAdmin ? address : hide(address))
  return {
    uid: row.uid,
    name: row.name,
    streamSource: shown(source),
    ...(hasSub ? { substreamSource: shown(substreamSource) } : {}),
    renditions: ['main', ...(hasSub ? ['sub'] : [])],
    tags: row.tags,
    ...status,
    location: { name: row.location },
    meta: {
      marker: row.marker,
      canAdmin,
      canViewArchive: rights?.canViewArchive ?? false,
      isShared: canAdmin && context.shares.isOpen(row.uid),
    },
    archive: {
      isEnable: row.isArchived,
      depthHours: row.depthHours,
      ...(typeof row.quotaBytes === 'number' ? { quotaBytes: row.quotaBytes } : {}),
    },
    live: { onDemand: row.isOnDemand },
    node: { id: context.settings.nodeId, available: !context.node.isDrained() },
    viewers: supervisor?.viewers() ?? 0,
    bitrate: supervisor?.live.bitrate() ?? 0,
    ...(status.status === 'running' && newest !== undefined ? { tracks: newest.run.init.tracks.map(trackView) } : {}),
  }
}
