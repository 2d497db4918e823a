import type { ServerContext } from '../context.ts'
import type { NodeFacts, StreamFacts } from '../cluster/facts.ts'
import type { Init, Track } from '../media/init.ts'
import { factsElsewhere } from './elsewhere.ts'
import type { Site } from './site.ts'
import type { StreamRow } from './stream-store.ts'
import type { Supervisor } from './supervisor.ts'

/** The time scale of sound is its sample rate. */
const trackView = ({ kind, codec, width, height, timescale }: Track) =>
  kind === 'video' ? { type: kind, codec, width, height } : { type: kind, codec, sampleRate: timescale }

const videoView = ({ video: { codec, width, height } }: Init, supervisor: Supervisor | undefined) => ({
  codec,
  width,
  height,
  fps: supervisor?.frameRate() ?? 0,
})

/** What this node knows of a stream's recording, or what the node that holds it has reported. */
export const streamFacts = (
  { cluster, settings }: Pick<ServerContext, 'cluster' | 'settings'>,
  site: Site,
  row: StreamRow,
): StreamFacts => {
  const { uid, substreamSource = '' } = row
  const status = site.status(row)
  // The archive may have other codecs than live: whether a transcode is needed shows once it is requested.
  const renditions = [
    'main',
    ...(substreamSource === '' ? [] : ['sub']),
    ...(settings.transcodesMax > 0 ? ['compatible'] : []),
  ]
  if (cluster.tenureOf(uid) === undefined) {
    return { renditions, viewers: 0, bitrate: 0, ...factsElsewhere(cluster, uid), ...status }
  }
  const supervisor = site.supervisor(uid)
  const newest = supervisor?.live.newest()
  const ptz = site.ptz.get(uid)
  const isRunning = status.status === 'running' && newest !== undefined
  return {
    ...status,
    renditions,
    viewers: supervisor?.viewers() ?? 0,
    bitrate: supervisor?.live.bitrate() ?? 0,
    ...(ptz === undefined ? {} : { ptz }),
    ...(isRunning
      ? { tracks: newest.run.init.tracks.map(trackView), video: videoView(newest.run.init, supervisor) }
      : {}),
  }
}

/** What this node reports of the streams that it holds. */
export const reportedFacts = (context: Pick<ServerContext, 'cluster' | 'settings'>, site: Site): NodeFacts => {
  const own = site.store.all().filter(({ uid }) => context.cluster.tenureOf(uid) !== undefined)
  return {
    viewers: own.reduce((sum, { uid }) => sum + (site.supervisor(uid)?.viewers() ?? 0), 0),
    streams: Object.fromEntries(own.map((row) => [row.uid, streamFacts(context, site, row)])),
  }
}
