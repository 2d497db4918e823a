import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { canZoomIn, canZoomOut } from '../timeline/timeline-geometry.ts'
import { liveMs } from './sync-moments.ts'
import { rateOf } from './sync-playback.setup.ts'
import type { syncPlaybackMachine } from './sync-playback.machine.ts'
import type { trackMachine } from './track.machine.ts'

export type SyncPlaybackRef = ActorRefFrom<typeof syncPlaybackMachine>
type Snapshot = SnapshotFrom<typeof syncPlaybackMachine>

export const selectTracks = ({ context }: Snapshot) => context.tracks
export const selectZone = ({ context }: Snapshot) => context.zone
export const selectRate = ({ context }: Snapshot) => rateOf(context)
export const selectMarks = ({ context }: Snapshot) => context.marks
export const selectHasMarks = ({ context: { marks } }: Snapshot) => marks.from !== null || marks.to !== null
export const selectIsArchive = (snapshot: Snapshot) => snapshot.matches('archive')
export const selectIsPlaying = ({ context }: Snapshot) => context.isPlaying
/** The newest moment that is shown from the archive; keys step back from it while all tiles are live. */
export const selectEdge = ({ context }: Snapshot) => context.now - liveMs
export const selectIsSeeking = (snapshot: Snapshot) => snapshot.hasTag('busy')
export const selectCanZoomIn = ({ context }: Snapshot) => canZoomIn(context.period)
export const selectCanZoomOut = ({ context }: Snapshot) => canZoomOut(context.period)

/**
 * What a track shows. `live`: all tiles are live; `left`: this tile was left live; `forbidden`: live, as the user may
 * not view the archive; `finding`: it isn't known yet what is recorded at the moment.
 */
export type TrackState = 'live' | 'left' | 'forbidden' | 'finding' | 'gap' | 'recorded'

export function selectTrackState(snapshot: SnapshotFrom<typeof trackMachine>): TrackState {
  if (snapshot.matches('left')) return 'left'
  if (snapshot.matches('forbidden')) return 'forbidden'
  if (snapshot.matches({ archive: 'finding' })) return 'finding'
  if (snapshot.matches({ archive: 'inGap' })) return 'gap'
  return snapshot.matches('archive') ? 'recorded' : 'live'
}

/** Whether a track plays live. One whose tile is out of sight plays nothing. */
const isLiveTrack = (track: SnapshotFrom<typeof trackMachine>): boolean =>
  track.matches('live') || track.matches('forbidden') || track.matches({ left: 'watching' })

/** Whether any tile plays: in a paused archive only those that are live. Undefined: the timeline is closed. */
export const isAnyPlaying = (snapshot: Snapshot | undefined): boolean =>
  snapshot === undefined ||
  !selectIsArchive(snapshot) ||
  selectIsPlaying(snapshot) ||
  Object.values(snapshot.context.tracks).some((track) => isLiveTrack(track.getSnapshot()))
