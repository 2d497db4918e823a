import { fromCallback, fromPromise } from 'xstate'
import { createSharedClock } from '../../api/media/sync/shared-clock.ts'
import type { MediaController } from '../../api/media/controller/media-controller.ts'
import { syncPlaybackMachine } from '../../machines/mosaics/sync-playback.machine.ts'
import type { SharedClockCommand } from '../../machines/mosaics/sync-playback.events.ts'
import type { TrackEvent, TileRef } from '../../machines/mosaics/track.events.ts'
import { trackMachine, type TrackRef } from '../../machines/mosaics/track.machine.ts'
import type { createUrlSync } from '../player/url-sync.ts'
import { ranges } from '../player/timeline.ts'
import { visibility } from '../shared/visibility.ts'

const tickMs = 250

/**
 * Whether a tile shows the moment of the shared clock, or isn't going to: in a gap, live, without the right, or failed.
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
      visibility,
    },
    /** In a microtask: an action must not send to the root machine while this machine is in transition. */
    actions: {
      writeAddress: ({ system }, { address, change }) => queueMicrotask(() => urlSync.update(system, address, change)),
    },
  })
  return { syncPlayback, clock: () => sharedClock.read().at }
}
