import type { ServerContext, StreamsPort } from '../context.ts'
import { factsElsewhere } from './elsewhere.ts'
import type { Site } from './site.ts'
import type { StreamRow } from './stream-store.ts'
import { streamViews } from './stream-view.ts'
import { subOf } from './substream.ts'

export const countByState = ({ status }: Pick<Site, 'status'>, rows: readonly StreamRow[]) => {
  const count = { pending: 0, running: 0, paused: 0, failed: 0 }
  for (const row of rows) count[status(row).status] += 1
  return count
}

export const createStreamsPort = (
  context: ServerContext,
  site: Site,
  extendLease: StreamsPort['extendLease'],
): StreamsPort => {
  /** Since the start of the server. */
  let recordedBytes = 0
  site.segmentListeners.push((_recording, segment) => {
    recordedBytes += segment.bytes
  })

  return {
    view: (caller, uids) =>
      streamViews(
        context,
        site,
        caller,
        uids.flatMap((uid) => site.store.find(uid) ?? []),
      ),
    extendLease,
    list: () =>
      site.store.all().map((row) => {
        const { uid, name, isOnDemand } = row
        const viewers = site.supervisor(uid)?.viewers() ?? factsElsewhere(context.cluster, uid)?.viewers ?? 0
        return { uid, name, status: site.status(row).status, isOnDemand, viewers }
      }),
    count: () => countByState(site, site.store.all()),
    viewers: () => site.store.all().reduce((sum, { uid }) => sum + (site.supervisor(uid)?.viewers() ?? 0), 0),
    recordedBytes: () => recordedBytes,
    workers: site.workers,
    reconsider: () => {
      for (const { uid } of site.store.all()) {
        for (const recording of [uid, subOf(uid)]) site.supervisor(recording)?.reconsider()
      }
    },
  }
}
