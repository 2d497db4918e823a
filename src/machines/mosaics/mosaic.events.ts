import type { Mosaic } from '../../api/contract/mosaic.ts'
import type { Settings } from '../../api/contract/settings.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { ApiError } from '../../api/reply.ts'
import type { Address } from '../app/app.events.ts'
import type { mosaicExportMachine, MosaicExportRef } from '../exports/mosaic-export.machine.ts'
import type { MediaLoss } from '../player/media.events.ts'
import type { PlayerAddress } from '../player/address.ts'
import type { TileRef } from './track.events.ts'

export interface Environment {
  now: number
  zone: string
}

export type MosaicEvent =
  | { type: 'page.hidden' }
  | { type: 'page.shown' }
  | { type: 'mosaic.retried' }
  /** Raised when tiles were added or removed, became available or unavailable, or came into or out of sight. */
  | { type: 'slots.settled' }
  | { type: 'mosaic.paused' }
  /** The stored setting: whether a sound reports a lost camera. */
  | { type: 'alarm.read'; isOn: boolean }
  | { type: 'alarm.toggled' }
  | MediaLoss
  | { type: 'mosaic.resumed' }
  | { type: 'archive.opened' }
  | { type: 'archive.closed' }
  | { type: 'address.changed'; address: Pick<Address, 'search'> }
  | { type: 'tile.focused'; key: string | null }
  | { type: 'tile.enlarged'; key: string | null }
  /** A digit of a tile's number; digits typed within a second form one number. */
  | { type: 'digit.typed'; digit: string }
  | { type: 'digits.ended' }
  /** The tile came into sight or left it. */
  | { type: 'tile.seen'; key: string; isSeen: boolean }
  /** The tile has been out of sight for a while. */
  | { type: 'tile.outOfSight'; key: string }
  /** The code of the export was loaded, to export a range of all cameras. */
  | { type: 'export.loaded'; logic: typeof mosaicExportMachine; range: TimeRange; maxItems: number }
  | { type: 'export.closed' }

export interface MosaicContext {
  id: string
  mosaic: Mosaic | null
  apiError: ApiError | null
  /** How many requests in a row had no answer before the next one was due. */
  unanswered: number
  tiles: Readonly<Record<string, TileRef>>
  /** Keys of the tiles that have been out of sight for a while. */
  unseen: ReadonlySet<string>
  isPlaying: boolean
  isAlarmOn: boolean
  /** The key of the tile that sounds. */
  focused: string | null
  enlarged: string | null
  /** The digits typed so far of a tile's number. */
  typed: string
  limits: Pick<
    Settings,
    | 'clusterEnabled'
    | 'nodeId'
    | 'rangesMaxSeconds'
    | 'playlistMaxSeconds'
    | 'archiveDownloadMaxSeconds'
    | 'timezone'
    | 'features'
  >
  address: PlayerAddress
  /** For how many seconds the tour enlarged each tile when the page opened; 0 for no tour. */
  cycle: number
  environment: Environment | null
  /** Null unless a range is being exported. */
  exporting: MosaicExportRef | null
}

/** `alarm.switched` stores the setting and, switched on, sounds once; `alarm.rung` sounds. */
export type AlarmCommand = { readonly type: 'alarm.switched'; readonly isOn: boolean } | { readonly type: 'alarm.rung' }
