import * as z from 'zod/mini'
import type { ServerContext, StreamsPort } from '../context.ts'
import { query } from '../store/database.ts'
import { bit } from '../store/store.ts'
import type { Site } from './site.ts'
import { streamViews } from './stream-view.ts'
import { subOf } from './substream.ts'

export const createStreamsPort = (context: ServerContext, site: Site): StreamsPort => {
  const briefs = query(
    context.db,
    z.object({ uid: z.string(), isPaused: bit }),
    'SELECT uid, is_paused AS isPaused FROM streams',
  )
  let recordedBytes = 0
  site.segmentListeners.push((_uid, segment) => {
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
    extendLease: (uid) => site.extendLease(uid),
    count: () => {
      const count = { pending: 0, running: 0, paused: 0, failed: 0 }
      for (const brief of briefs.all()) count[site.status(brief).status] += 1
      return count
    },
    viewers: () => briefs.all().reduce((sum, { uid }) => sum + (site.supervisor(uid)?.viewers() ?? 0), 0),
    recordedBytes: () => recordedBytes,
    reconsider: () => {
      for (const { uid } of briefs.all()) {
        for (const recording of [uid, subOf(uid)]) site.supervisor(recording)?.reconsider()
      }
    },
  }
}
