import type { SnapshotFrom } from 'xstate'
import type { TrackState } from '../../machines/mosaics/sync-playback.selectors.ts'
import type { mediaMachine } from '../../machines/player/media.machine.ts'

export type Look =
  | 'off'
  | 'paused'
  | 'loading'
  | 'live'
  | 'archive'
  | 'gap'
  | 'stalled'
  | 'broken'
  | 'codec'
  | 'refused'

export function selectLook(snapshot: SnapshotFrom<typeof mediaMachine>): Look {
  if (snapshot.matches('idle')) return 'off'
  if (snapshot.matches('unplayable')) return 'codec'
  if (snapshot.matches('forbidden')) return 'refused'
  if (snapshot.matches('interrupted') || snapshot.context.picture === 'lost') return 'broken'
  if (snapshot.matches({ ready: { running: 'stalled' } })) return 'stalled'
  // While another rendition loads, the last frame of the one before stays.
  return snapshot.matches('ready') || snapshot.matches('switching') ? 'live' : 'loading'
}

interface TileState {
  isAvailable: boolean
  isPaused: boolean
}

/** A tile whose player is off is unavailable, paused with the whole mosaic, or about to load. */
export function lookOf(state: TrackState, look: Look, { isAvailable, isPaused }: TileState): Look {
  if (state === 'gap') return 'gap'
  if (state === 'finding' || (state === 'recorded' && look === 'off')) return 'loading'
  if (state === 'recorded' && look === 'live') return 'archive'
  if (look !== 'off' || !isAvailable) return look
  return isPaused ? 'paused' : 'loading'
}
