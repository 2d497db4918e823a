import type { Mosaic } from '../../api/contract/mosaic.ts'
import type { Settings } from '../../api/contract/settings.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { ApiError } from '../../api/reply.ts'
import type { Address } from '../app/app.events.ts'
import type { mosaicExportMachine, MosaicExportRef } from '../exports/mosaic-export.machine.ts'
import type { mosaicLockMachine, MosaicLockRef } from '../locks/mosaic-lock.machine.ts'
import type { MediaLoss } from '../player/media.events.ts'
import type { PollReport } from '../polling/poll.machine.ts'
import type { PlayerAddress } from '../player/address.ts'
import type { TileRef } from './track.events.ts'

/** What synchronized playback needs when it opens: the present and the zone of its times, an IANA name. */
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
  | PollReport
  | { type: 'mosaic.resumed' }
  /** Opens the timeline, with all tiles live. */
  | { type: 'archive.opened' }
  | { type: 'archive.closed' }
  | { type: 'address.changed'; address: Pick<Address, 'search'> }
  /** The tile gets the sound; null: no tile has it. */
  | { type: 'tile.focused'; key: string | null }
  | { type: 'tile.enlarged'; key: string | null }
  /** A digit of a tile's number. Two digits within a second can form one number. */
  | { type: 'digit.typed'; digit: string }
  /** No digit followed within a second. */
  | { type: 'digits.ended' }
  /** The tile came into sight or left it. */
  | { type: 'tile.seen'; key: string; isSeen: boolean }
  /** The tile has been out of sight for a while. */
  | { type: 'tile.outOfSight'; key: string }
  /** The user wants to export a range of all cameras, and the code of the export is loaded. */
  | {
      type: 'export.loaded'
      logic: typeof mosaicExportMachine
      range: TimeRange
      now: number
      zone: string
      maxItems: number
    }
  /** The user wants to lock a range of all cameras, and the code of the lock is loaded. */
  | { type: 'lock.loaded'; logic: typeof mosaicLockMachine; range: TimeRange }

export interface MosaicContext {
  id: string
  mosaic: Mosaic | null
  apiError: ApiError | null
  /** By the key of the tile (`keyOf`), as are the other keys. */
  tiles: Readonly<Record<string, TileRef>>
  /** Keys of the tiles that have been out of sight for a while. */
  unseen: ReadonlySet<string>
  /** False while live is paused or hidden; with the timeline open, that decides whether the tiles play. */
  isPlaying: boolean
  /** Whether the present request extends the lease of viewers, as any tile plays. */
  extendLease: boolean
  /** Whether a sound reports a lost camera. */
  isAlarmOn: boolean
  /** The key of the tile with sound. */
  focused: string | null
  /** The key of the enlarged tile. */
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
  /** What the browser's address requests of synchronized playback. */
  address: PlayerAddress
  /** For how long the tour enlarges each tile when the page opens; 0 for no tour. Later the tour itself is notified. */
  initialCycleSeconds: number
  environment: Environment | null
  /** The dialog that exports ranges of the cameras, and keeps those that were added; null before it is first opened. */
  exporting: MosaicExportRef | null
  /** The dialog that locks a range of the cameras; null before it is first opened. */
  locking: MosaicLockRef | null
}

/** `alarm.switched` stores the setting and sounds once if it is on; `alarm.rung` sounds. */
export type AlarmCommand = { readonly type: 'alarm.switched'; readonly isOn: boolean } | { readonly type: 'alarm.rung' }
