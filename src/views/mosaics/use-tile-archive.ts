import { useSelector } from '@xstate/react'
import type { SnapshotFrom } from 'xstate'
import { selectIsArchive, selectTracks, type SyncPlaybackRef } from '../../machines/mosaics/sync-playback.selectors.ts'
import type { TrackRef } from '../../machines/mosaics/track.machine.ts'
import type { TileArchive } from './ArchiveTools.tsx'

/** False also while the archive is closed. */
export const selectIsInArchive = (snapshot: SnapshotFrom<SyncPlaybackRef> | undefined) =>
  snapshot !== undefined && selectIsArchive(snapshot)
const noTracks: Readonly<Record<string, TrackRef>> = {}

/** Returns the archive of a tile by its key; null while the archive of the mosaic is closed. */
export function useTileArchive(
  syncPlayback: SyncPlaybackRef | undefined,
  isArchive: boolean,
): (key: string) => TileArchive | null {
  const tracks = useSelector(syncPlayback, (snapshot) => (snapshot === undefined ? noTracks : selectTracks(snapshot)))
  return (key) => {
    const track = tracks[key]
    if (syncPlayback === undefined || track === undefined) return null
    return {
      track,
      isArchive,
      onLeave: () => syncPlayback.send({ type: 'tile.leftLive', key }),
      onJoin: () => syncPlayback.send({ type: 'tile.joined', key }),
      onShowOnAll: (at) => syncPlayback.send({ type: 'moment.shared', at }),
    }
  }
}
