import type { Stream } from '../../src/api/contract/stream.ts'
import type { Caller, StreamRights } from '../access/access.ts'
import type { ServerContext } from '../context.ts'
import { isPlayable, type Init, type Track } from '../media/init.ts'
import { maskCredentials, withoutCredentials } from '../media/source.ts'
import type { Site } from './site.ts'
import type { Supervisor } from './supervisor.ts'
import type { StreamRow } from './stream-store.ts'

/** The time scale of sound is its sample rate. */
const trackView = ({ kind, codec, width, height, timescale }: Track) =>
  kind === 'video' ? { type: kind, codec, width, height } : { type: kind, codec, sampleRate: timescale }

type Viewer = { caller: Caller; rights: StreamRights; isOpen: boolean }

const videoView = ({ video: { codec, width, height } }: Init, supervisor: Supervisor | undefined) => ({
  codec,
  width,
  height,
  fps: supervisor?.video().frameRate ?? 0,
})

/**
 * A stream as this caller may see it (docs/wire.md §5.2). With canAdmin its sources have their credentials, for other
 * users a mask, for a share neither.
 */
const viewOf = (context: ServerContext, site: Site, row: StreamRow, { caller, rights, isOpen }: Viewer): Stream => {
  const supervisor = site.supervisor(row.uid)
  const status = site.status(row)
  const newest = supervisor?.live.newest()
  const { canAdmin, canViewArchive } = rights
  const isRunning = status.status === 'running' && newest !== undefined
  const init = supervisor?.video().init
  const isConverted = init !== undefined && !isPlayable(init) && context.settings.transcodesMax > 0
  const daysAhead = site.daysAhead.get(row.uid)
  const { source, substreamSource = '' } = row
  const hasSub = substreamSource !== ''
  const hide = caller.kind === 'share' ? withoutCredentials : maskCredentials
  const shown = (url: string): string => (canAdmin ? url : hide(url))
  return {
    uid: row.uid,
    name: row.name,
    streamSource: shown(source),
    ...(hasSub ? { substreamSource: shown(substreamSource) } : {}),
    renditions: ['main', ...(hasSub ? ['sub'] : []), ...(isConverted ? ['compatible'] : [])],
    tags: row.tags,
    ...status,
    location: { name: row.location },
    meta: {
      marker: row.marker,
      canAdmin,
      canViewArchive,
      isShared: canAdmin && isOpen,
    },
    archive: {
      isEnable: row.isArchived,
      depthHours: row.depthHours,
      ...(typeof row.quotaBytes === 'number' ? { quotaBytes: row.quotaBytes } : {}),
      ...(typeof daysAhead === 'number' && canViewArchive ? { daysAhead } : {}),
    },
    live: { onDemand: row.isOnDemand },
    node: { id: context.settings.nodeId, available: !context.node.isDrained() },
    viewers: supervisor?.viewers() ?? 0,
    bitrate: supervisor?.live.bitrate() ?? 0,
    ...(isRunning
      ? { tracks: newest.run.init.tracks.map(trackView), video: videoView(newest.run.init, supervisor) }
      : {}),
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
    return own === undefined ? [] : [viewOf(context, site, row, { caller, rights: own, isOpen: open.has(row.uid) })]
  })
}
