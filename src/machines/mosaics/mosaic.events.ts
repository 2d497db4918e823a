import type { Mosaic } from '../../api/contract/mosaic.ts'
import type { Settings } from '../../api/contract/settings.ts'
import type { ApiError } from '../../api/reply.ts'
import type { Address } from '../app/app.events.ts'
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
  | { type: 'mosaic.seated' }
  | { type: 'mosaic.paused' }
  /** What this browser keeps: whether a sound reports a lost camera. */
  | { type: 'alarm.read'; isOn: boolean }
  | { type: 'alarm.toggled' }
  | MediaLoss
  | { type: 'mosaic.resumed' }
  | { type: 'archive.opened' }
  | { type: 'archive.closed' }
  | { type: 'address.changed'; address: Pick<Address, 'search'> }
  | { type: 'tile.focused'; key: string | null }
  | { type: 'tile.enlarged'; key: string | null }
  /** One digit of a tile's number; digits that follow each other soon are one number. */
  | { type: 'digit.typed'; digit: string }
  | { type: 'digits.ended' }
  | { type: 'tile.seen'; key: string; isSeen: boolean }

export interface MosaicContext {
  id: string
  mosaic: Mosaic | null
  apiError: ApiError | null
  tiles: Readonly<Record<string, TileRef>>
  unseen: ReadonlySet<string>
  isPlaying: boolean
  isAlarmOn: boolean
  focused: string | null
  enlarged: string | null
  typed: string
  limits: Pick<Settings, 'clusterEnabled' | 'nodeId' | 'rangesMaxSeconds' | 'playlistMaxSeconds' | 'timezone'>
  address: PlayerAddress
  /** Seconds of a tile's turn in the tour when the page opened; 0 for none. */
  cycle: number
  environment: Environment | null
}

/** `alarm.switched` is kept, and sounds at once if it is on. */
export type AlarmCommand = { readonly type: 'alarm.switched'; readonly isOn: boolean } | { readonly type: 'alarm.rung' }
