import type { ActorRefFrom } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { BookmarkLocation } from '../bookmarks/bookmark-location.ts'
import type { exportDraftMachine } from '../exports/export-draft.machine.ts'
import type { FormReport } from '../form/form.events.ts'
import type { locksMachine } from '../locks/locks.machine.ts'
import type { motionMachine } from '../motion/motion.machine.ts'
import type { ptzMachine } from '../ptz/ptz.machine.ts'
import type { StreamReport } from '../stream/stream.events.ts'
import type { TimelineListsInput, TimelineListsRef } from '../timeline/timeline-lists.machine.ts'
import type { thumbnailsMachine } from '../timeline/thumbnails.machine.ts'
import type { PlayerAddress } from './address.ts'
import type { Sound } from './media.events.ts'
import type { PlayerLimits, PlayerReport } from './player.events.ts'
import type { ZoneChoice } from './zones.ts'

/**
 * What the browser reports when the player opens, and what was stored: the choice of the zone, the sound, and the lists
 * of the last player.
 */
export interface Environment {
  now: number
  /** The IANA name of the browser's zone. */
  zone: string
  zoneChoice: ZoneChoice
  sound: Sound
  timelineLists: TimelineListsInput
}

export type UnlockValues = { uid: string; password: string }

/** The machines of the tools, whose code is loaded after the player has opened. */
export interface Tools {
  readonly locks: typeof locksMachine
  readonly exportDraft: typeof exportDraftMachine
  /** The most items of one export. */
  readonly maxExportItems: number
  readonly ptz: typeof ptzMachine
}

export type PageEvent =
  | StreamReport
  | PlayerReport
  | { readonly type: 'address.changed'; readonly address: { readonly search: string } }
  | { readonly type: 'stream.retried' }
  /** The code of the motion search is loaded, when the search is first opened; then the page runs its machine. */
  | { readonly type: 'motion.loaded'; readonly logic: typeof motionMachine }
  /** The code of the tools is loaded; then the page runs the machines that the server has a feature for. */
  | ({ readonly type: 'tools.loaded' } & Tools)
  | FormReport<UnlockValues, object>

export interface PageContext {
  uid: string
  /** A visitor who isn't signed in and has a share token (docs/wire.md §5.2, share). */
  isGuest: boolean
  limits: PlayerLimits
  /** An IANA name; '' if the server doesn't report it. */
  serverZone: string
  /** Where the user's bookmarks are stored; null for guests. */
  bookmarkLocation: BookmarkLocation | null
  address: PlayerAddress
  stream: Stream | null
  environment: Environment | null
  /** The server's features; none for guests. */
  features: readonly string[]
  /** Whether the tools are loaded. */
  hasTools: boolean
  /** These three are null for guests, if the server lacks the feature, and until the tools are loaded. */
  locks: ActorRefFrom<typeof locksMachine> | null
  exportDraft: ActorRefFrom<typeof exportDraftMachine> | null
  ptz: ActorRefFrom<typeof ptzMachine> | null
  canSearchMotion: boolean
  /** Null until the motion search is opened. */
  motion: ActorRefFrom<typeof motionMachine> | null
  /** Null for guests. */
  thumbnails: ActorRefFrom<typeof thumbnailsMachine> | null
  /** Null until the player first opens; they outlive a player that closes. */
  timelineLists: TimelineListsRef | null
}
