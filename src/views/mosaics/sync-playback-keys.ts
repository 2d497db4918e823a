import { commandOf, mosaicArchiveKeys } from '../../machines/keyboard/bindings.ts'
import {
  selectEdge,
  selectIsArchive,
  selectIsPlaying,
  selectRate,
  type SyncPlaybackRef,
} from '../../machines/mosaics/sync-playback.selectors.ts'
import { fasterBackwards, fasterForwards } from '../../machines/player/speeds.ts'

const tenSecondsMs = 10_000
/** Commands that have a meaning while all tiles are live. */
const inLive: ReadonlySet<keyof typeof mosaicArchiveKeys> = new Set(['back', 'markIn', 'markOut'])

export function syncPlaybackKey(
  syncPlayback: SyncPlaybackRef,
  key: string,
  clock: () => number | null,
): (() => void) | undefined {
  const snapshot = syncPlayback.getSnapshot()
  const here = () => Math.round(clock() ?? selectEdge(snapshot))
  const move = (by: number) => () => syncPlayback.send({ type: 'moment.requested', at: here() + by })
  const rate = selectRate(snapshot)
  const isPlaying = selectIsPlaying(snapshot)
  const acts: Readonly<Record<keyof typeof mosaicArchiveKeys, () => void>> = {
    back: move(-tenSecondsMs),
    forward: move(tenSecondsMs),
    faster: () => {
      if (!isPlaying) return syncPlayback.send({ type: 'play.requested' })
      const next = fasterForwards(rate)
      syncPlayback.send({ type: next < 0 ? 'reverse.requested' : 'speed.chosen', rate: next })
    },
    reverse: () => syncPlayback.send({ type: 'reverse.requested', rate: fasterBackwards(isPlaying ? rate : 1) }),
    goLive: () => syncPlayback.send({ type: 'live.requested' }),
    stepBack: () => syncPlayback.send({ type: 'step.requested', direction: -1 }),
    stepForward: () => syncPlayback.send({ type: 'step.requested', direction: 1 }),
    markIn: () => syncPlayback.send({ type: 'selection.inMarked', at: here() }),
    markOut: () => syncPlayback.send({ type: 'selection.outMarked', at: here() }),
  }
  const act = commandOf(mosaicArchiveKeys, key)
  return act === undefined || !(inLive.has(act) || selectIsArchive(snapshot)) ? undefined : acts[act]
}
