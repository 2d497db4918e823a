import { fromCallback, fromPromise } from 'xstate'
import { getArchiveStats } from '../../api/resources/archive.ts'
import { createSharedClock } from '../../api/media/sync/shared-clock.ts'
import type { MediaController } from '../../api/media/controller/media-controller.ts'
import { syncPlaybackMachine } from '../../machines/mosaics/sync-playback.machine.ts'
import type {
  ReadinessBarrierInput,
  ReverseRoundsCommand,
  SharedClockCommand,
} from '../../machines/mosaics/sync-playback.events.ts'
import type { TrackEvent, TileRef } from '../../machines/mosaics/track.events.ts'
import { trackMachine, type TrackRef } from '../../machines/mosaics/track.machine.ts'
import type { createUrlSync } from '../player/url-sync.ts'
import { ranges } from '../player/timeline.ts'
import { visibility } from '../shared/visibility.ts'

const tickMs = 250
/** Statuses: the user may not view the archive of the stream, or the stream is gone. */
const withoutArchive: ReadonlySet<number> = new Set([403, 404])

/**
 * Whether a tile shows the moment of the shared clock, or won't: it is in a gap, live, forbidden or failed.
 */
function isReady(track: TrackRef, controllerOf: (tile: object) => MediaController): boolean {
  const snapshot = track.getSnapshot()
  if (snapshot.hasTag('busy')) return false
  if (!snapshot.matches({ archive: 'recorded' })) return true
  const { tile } = snapshot.context
  return tile.getSnapshot().hasTag('error') || controllerOf(tile).hasSettled()
}

/** Synchronized playback with a shared clock of its own, which the pictures of the tiles follow. */
export function createSyncPlayback(
  controllerOf: (tile: object) => MediaController,
  urlSync: ReturnType<typeof createUrlSync>,
) {
  const sharedClock = createSharedClock(() => performance.now())
  const syncPlayback = syncPlaybackMachine.provide({
    actors: {
      track: trackMachine.provide({
        actors: {
          ranges,
          follow: fromCallback<TrackEvent, { tile: TileRef }>(({ input }) => {
            const controller = controllerOf(input.tile)
            controller.follow(sharedClock.read)
            return () => controller.follow(null)
          }),
        },
      }),
      sharedClock: fromCallback<SharedClockCommand>(({ receive, sendBack }) => {
        const tick = () =>
          sendBack({ type: 'sharedClock.ticked', at: Math.round(sharedClock.read().at), now: Date.now() })
        receive(({ at, rate }) => {
          sharedClock.set(at, rate)
          tick()
        })
        const timer = setInterval(tick, tickMs)
        return () => clearInterval(timer)
      }),
      readinessBarrier: fromPromise(
        ({ input: { tracks }, signal }) =>
          new Promise<void>((resolve) => {
            const check = () => {
              if (signal.aborted || tracks.every((track) => isReady(track, controllerOf))) resolve()
              else requestAnimationFrame(check)
            }
            // One frame later, as the clock and the tracks get the moment only after this has started.
            requestAnimationFrame(check)
          }),
      ),
      reverseRounds: fromCallback<ReverseRoundsCommand, ReadinessBarrierInput>(({ input, receive }) => {
        const controller = new AbortController()
        let { tracks } = input
        receive((command) => ({ tracks } = command))
        const areReady = () => tracks.every((track) => isReady(track, controllerOf))
        import('../../api/media/sync/reverse-rounds.ts')
          .then(({ playRoundsBackwards }) => playRoundsBackwards(sharedClock, areReady, controller.signal))
          .catch(() => undefined)
        return () => controller.abort()
      }),
      readArchiveStart: fromPromise(async ({ input: { uids }, signal }) => {
        const replies = await Promise.all(uids.map((uid) => getArchiveStats(uid, signal)))
        if (replies.some((reply) => !reply.ok && !withoutArchive.has(reply.apiError.status))) return null
        const starts = replies.flatMap((reply) => (reply.ok ? (reply.value.period?.startTime ?? []) : []))
        return starts.length === 0 ? null : Math.min(...starts)
      }),
      visibility,
    },
    /** In a microtask: an action must not send to the root machine while this machine is in transition. */
    actions: {
      writeAddress: ({ system }, { address, change }) => queueMicrotask(() => urlSync.update(system, address, change)),
    },
  })
  return { syncPlayback, clock: () => sharedClock.read().at }
}
