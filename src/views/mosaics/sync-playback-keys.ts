import { commandOf, mosaicArchiveKeys } from '../../machines/keyboard/bindings.ts'
import { skipMoment } from '../../machines/mosaics/skip-moment.ts'
import {
  selectEdge,
  selectIsArchive,
  selectIsPlaying,
  selectRate,
  selectTracks,
  type SyncPlaybackRef,
} from '../../machines/mosaics/sync-playback.selectors.ts'
import { fasterBackwards, fasterForwards } from '../../machines/player/speeds.ts'

const tenSecondsMs = 10_000
/** The commands that do something while all tiles are live. */
const liveCommands: ReadonlySet<keyof typeof mosaicArchiveKeys> = new Set([
  'back',
  'previousFragment',
  'markIn',
  'markOut',
])

/** Returns what a key does in the archive of a mosaic; undefined if it does nothing now. */
export function syncPlaybackKey(
  syncPlayback: SyncPlaybackRef,
  key: string,
  clock: () => number | null,
): (() => void) | undefined {
  const snapshot = syncPlayback.getSnapshot()
  const here = () => Math.round(clock() ?? selectEdge(snapshot))
  const move = (by: number) => () => syncPlayback.send({ type: 'moment.requested', at: here() + by })
  const skip = (direction: 1 | -1) => () => {
    const tracks = Object.values(selectTracks(snapshot))
    const recordings = tracks.map((track) => track.getSnapshot().context.intervals)
    const at = skipMoment(recordings, here(), direction)
    if (at !== null) syncPlayback.send({ type: 'moment.requested', at })
  }
  const rate = selectRate(snapshot)
  const isPlaying = selectIsPlaying(snapshot)
  const commands: Readonly<Record<keyof typeof mosaicArchiveKeys, () => void>> = {
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
    previousFragment: skip(-1),
    nextFragment: skip(1),
    markIn: () => syncPlayback.send({ type: 'selection.inMarked', at: here() }),
    markOut: () => syncPlayback.send({ type: 'selection.outMarked', at: here() }),
  }
  const command = commandOf(mosaicArchiveKeys, key)
  const isPossible = command !== undefined && (liveCommands.has(command) || selectIsArchive(snapshot))
  return isPossible ? commands[command] : undefined
}
