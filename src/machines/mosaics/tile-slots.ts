import type { Mosaic } from '../../api/contract/mosaic.ts'
import type { Settings } from '../../api/contract/settings.ts'
import type { Stream } from '../../api/contract/stream.ts'
import type { ExportCamera } from '../exports/mosaic-export-items.ts'
import type { LockCamera } from '../locks/mosaic-lock.machine.ts'
import { canViewArchive, isStreamAvailable } from '../stream/stream.selectors.ts'
import type { TileSlot } from './sync-playback.events.ts'
import type { TileRef } from './track.events.ts'
import { keyOf } from './mosaic-grid.ts'

export interface SlotsInput {
  readonly mosaic: Mosaic | null
  readonly tiles: Readonly<Record<string, TileRef>>
  readonly unseen: ReadonlySet<string>
  readonly limits: Pick<Settings, 'clusterEnabled' | 'nodeId'>
}

/** A server that omits the status may have a picture: the tile tries. */
const playableStatuses: ReadonlySet<string> = new Set(['running', 'pending', ''])

/** Whether a stream has a picture to play, or will soon. */
export const isAvailable = (stream: Stream | undefined, limits: SlotsInput['limits']): boolean =>
  stream !== undefined && isStreamAvailable(stream, limits) && playableStatuses.has(stream.status)

/** Whether a stream is lost: it failed, or its node is away. A paused stream isn't lost. */
const isLost = (stream: Stream | undefined, limits: SlotsInput['limits']): boolean =>
  stream !== undefined && (stream.status === 'failed' || !isStreamAvailable(stream, limits))

const isPermitted = (stream: Stream | undefined): boolean => stream !== undefined && canViewArchive(stream)

/** Each camera of a mosaic once, in the order of its tiles. */
const camerasOf = (mosaic: Mosaic | null) =>
  [...new Set(mosaic?.cells.map(({ streamUid }) => streamUid))].map((uid) => {
    const stream = mosaic?.streams?.find((one) => one.uid === uid)
    return { uid, name: stream?.name || uid, stream }
  })

export const exportCamerasOf = (mosaic: Mosaic | null): ExportCamera[] =>
  camerasOf(mosaic).map(({ uid, name, stream }) => ({
    uid,
    name,
    mayExport: isPermitted(stream) && stream?.meta.canDownload !== false,
    bitrate: stream?.bitrate ?? null,
  }))

export const lockCamerasOf = (mosaic: Mosaic | null): LockCamera[] =>
  camerasOf(mosaic).map(({ uid, name, stream }) => ({ uid, name, mayLock: stream?.meta.canAdmin === true }))

export const slotsOf = ({ mosaic, tiles, unseen, limits }: SlotsInput): TileSlot[] =>
  (mosaic?.cells ?? []).flatMap((cell) => {
    const key = keyOf(cell)
    const tile = tiles[key]
    const stream = mosaic?.streams?.find(({ uid }) => uid === cell.streamUid)
    return tile === undefined
      ? []
      : [
          {
            key,
            uid: cell.streamUid,
            tile,
            isAvailable: isAvailable(stream, limits),
            isLost: isLost(stream, limits),
            isPermitted: isPermitted(stream),
            isSeen: !unseen.has(key),
          },
        ]
  })
