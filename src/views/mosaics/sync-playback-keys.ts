import { commandOf, mosaicArchiveKeys } from '../../machines/keyboard/bindings.ts'
import {
  selectEdge,
  selectIsArchive,
  selectIsPlaying,
  selectRate,
  type SyncPlaybackRef,
} from '../../machines/mosaics/sync-playback.selectors.ts'
import { speeds } from '../../machines/player/speeds.ts'

const tenSecondsMs = 10_000

export function syncPlaybackKey(
  syncPlayback: SyncPlaybackRef,
  key: string,
  clock: () => number | null,
): (() => void) | undefined {
  const snapshot = syncPlayback.getSnapshot()
  const move = (by: number) => () =>
    syncPlayback.send({ type: 'moment.requested', at: Math.round((clock() ?? selectEdge(snapshot)) + by) })
  const acts: Readonly<Record<keyof typeof mosaicArchiveKeys, () => void>> = {
    back: move(-tenSecondsMs),
    forward: move(tenSecondsMs),
    faster: () => {
      const rate = selectRate(snapshot)
      if (!selectIsPlaying(snapshot)) return syncPlayback.send({ type: 'play.requested' })
      syncPlayback.send({ type: 'speed.chosen', rate: speeds.find((speed) => speed > rate) ?? rate })
    },
    goLive: () => syncPlayback.send({ type: 'live.requested' }),
    stepBack: () => syncPlayback.send({ type: 'step.requested', direction: -1 }),
    stepForward: () => syncPlayback.send({ type: 'step.requested', direction: 1 }),
  }
  const act = commandOf(mosaicArchiveKeys, key)
  return act === undefined || (act !== 'back' && !selectIsArchive(snapshot)) ? undefined : acts[act]
}
