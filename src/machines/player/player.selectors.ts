import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { canViewArchive } from '../stream/stream.selectors.ts'
import { codecName } from '../stream-pages/codec-names.ts'
import type { MediaFailure } from '../../api/media/engine/failure.ts'
import type { mediaMachine } from './media.machine.ts'
import { choiceIn } from './media.setup.ts'
import type { playerPageMachine } from './page.machine.ts'
import type { Panel } from './player.events.ts'
import type { playerMachine } from './player.machine.ts'
import type { selectionMachine } from './selection.machine.ts'
import { canGoLive } from './shared-range.ts'

export type PlayerRef = ActorRefFrom<typeof playerMachine>
export type MediaRef = ActorRefFrom<typeof mediaMachine>
export type SelectionRef = ActorRefFrom<typeof selectionMachine>
export type PlayerPageRef = ActorRefFrom<typeof playerPageMachine>
type Player = SnapshotFrom<typeof playerMachine>
type Media = SnapshotFrom<typeof mediaMachine>
type Selection = SnapshotFrom<typeof selectionMachine>
type Page = SnapshotFrom<typeof playerPageMachine>

export const selectPlayer = ({ children }: Page) => children.player
export const selectPageLocks = ({ context }: Page) => context.locks
export const selectPageThumbnails = ({ context }: Page) => context.thumbnails
export const selectPageTimelineLists = ({ context }: Page) => context.timelineLists
export const selectPageExportDraft = ({ context }: Page) => context.exportDraft
export const selectPagePtz = ({ context }: Page) => context.ptz
export const selectCanSearchMotion = ({ context: { canSearchMotion, stream } }: Page) =>
  canSearchMotion && stream !== null && canViewArchive(stream)
export const selectPageMotion = ({ context }: Page) => context.motion
export const selectStreamActor = ({ children }: Page) => children.stream
export const selectIsPageForbidden = (snapshot: Page) => snapshot.matches('forbidden')
/** Whether the guest's share was withdrawn. */
export const selectIsPageWithdrawn = (snapshot: Page) => snapshot.matches('withdrawn')
/** The form for the password of the share; undefined unless the server requires it. */
export const selectPageUnlock = ({ children }: Page) => children.unlock
export const selectIsPageBroken = (snapshot: Page) => snapshot.matches('broken')

export const selectMedia = ({ children }: Player) => children.media
export const selectTimeline = ({ children }: Player) => children.timeline
export const selectSelection = ({ children }: Player) => children.selection
export const selectWaitingPicture = ({ children }: Player) => children.waitingPicture
export const selectBookmark = ({ children }: Player) => children.bookmark
export const selectCanBookmark = ({ context }: Player) => context.bookmarkLocation !== null
export const selectCanDownload = ({ context }: Player) => context.stream?.meta.canDownload !== false
export const selectClip = ({ children }: Player) => children.clip
export const selectMode = (snapshot: Player): 'live' | 'archive' =>
  snapshot.matches({ view: 'archive' }) ? 'archive' : 'live'
export const selectPlayerStream = ({ context }: Player) => context.stream
export const selectLiveRange = ({ context: { now, liveWindow } }: Player) => ({ from: now - liveWindow, to: now })
export const selectUid = ({ context }: Player) => context.uid
export const selectZone = ({ context }: Player) => context.zone
export const selectZoneChoice = ({ context }: Player) => context.zoneChoice
export const selectZones = ({ context }: Player) => context.zones
export const selectCanGoLive = ({ context }: Player) => canGoLive(context.stream)
export const selectIsLooping = ({ context }: Player) => context.address.isLooping
/** The stream's bitrate in bits per second; null if the server doesn't report it. */
export const selectBitrate = ({ context }: Player) => context.stream?.bitrate ?? null
export const selectIsFull = (snapshot: Player) => snapshot.matches({ screen: 'full' })
export type PlayerPanel = Panel | 'closed'
export const selectPanel = (snapshot: Player): PlayerPanel => snapshot.value.panel
export const selectPanelAt = ({ context }: Player) => context.panelAt
export const selectIsTakingSnapshot = (snapshot: Player) => snapshot.matches({ snapshot: 'taking' })

/**
 * What the player shows. `deciding`: the stream isn't known yet; `halted`: the stream is paused; `searching`: what
 * follows or precedes isn't known yet; `atStart` and `atEnd`: the archive has no more; `media`: live or the archive.
 */
export type Scene = 'deciding' | 'unavailable' | 'halted' | 'searching' | 'atStart' | 'atEnd' | 'media'

export function selectScene(snapshot: Player): Scene {
  if (snapshot.matches({ view: { live: 'deciding' } })) return 'deciding'
  if (snapshot.matches({ view: { live: 'empty' } })) return 'unavailable'
  if (snapshot.matches({ view: { live: 'halted' } })) return 'halted'
  if (snapshot.matches({ view: { archive: 'inGap' } })) return 'searching'
  if (snapshot.matches({ view: { archive: { reversing: 'searching' } } })) return 'searching'
  if (snapshot.matches({ view: { archive: 'atStart' } })) return 'atStart'
  if (snapshot.matches({ view: { archive: 'atEnd' } })) return 'atEnd'
  return 'media'
}

export type MediaState =
  | 'idle'
  | 'loading'
  | 'switching'
  | 'playing'
  | 'resting'
  | 'stalled'
  | 'interrupted'
  | 'unplayable'
  | 'forbidden'

export function selectMediaState(snapshot: Media): MediaState {
  if (snapshot.matches({ ready: { running: 'stalled' } })) return 'stalled'
  if (snapshot.matches({ ready: 'running' })) return 'playing'
  if (snapshot.matches({ ready: 'resting' })) return 'resting'
  if (snapshot.matches('loading')) return 'loading'
  if (snapshot.matches('switching')) return 'switching'
  if (snapshot.matches('interrupted')) return 'interrupted'
  if (snapshot.matches('unplayable')) return 'unplayable'
  return snapshot.matches('forbidden') ? 'forbidden' : 'idle'
}

/** Whether the button is Pause rather than Play: the media plays, or will once loading or a stall is over. */
export function selectIsPlaying(snapshot: Media): boolean {
  const state = selectMediaState(snapshot)
  return (
    state === 'playing' ||
    state === 'stalled' ||
    (snapshot.context.isPlaying && (state === 'loading' || state === 'switching' || state === 'interrupted'))
  )
}

/** The range of the loaded source in which the player can seek; null if none is loaded. */
export const selectLoaded = ({ context }: Media) => context.loaded
export const selectRequestedAt = ({ context }: Media) => context.requestedAt
/** Negative: backwards. */
export const selectRate = ({ context }: Media) => context.rate
export const selectSound = ({ context }: Media) => context.sound
/** Whether the browser mutes the page until the user interacts with it (autoplay policy). */
export const selectIsSilenced = ({ context }: Media) => context.isSilenced
/** `notTranscoded`: the server already transcodes as many streams as it may. */
export const selectMediaFailure = ({ context: { failure, chosen } }: Media): MediaFailure | 'notTranscoded' | null =>
  failure === 'busy' && chosen.rendition === 'compatible' ? 'notTranscoded' : failure
export const selectIsLost = ({ context }: Media) => context.picture === 'lost'
/** The moment of the last frame, once no frame is on the screen any more. */
export const selectLastFrameAt = ({ context }: Media) => context.lastFrameAt
export const selectRefusedCodec = ({ context }: Media) => context.refusedCodec
/** The rendition that plays; null if the server announces no renditions. */
export const selectRendition = ({ context: { offer, chosen } }: Media) =>
  offer.renditions.length === 0 ? null : chosen.rendition
/** Why this rendition plays: by the present rules if they still choose it, else by those when it was loaded. */
export const selectRenditionReason = ({ context }: Media) => {
  const { source, chosen } = context
  const choice = source === null ? chosen : choiceIn(context, source)
  return choice.rendition === chosen.rendition ? choice.reason : chosen.reason
}
/** The codec of the main rendition by its common name; '' if it isn't known. */
export const selectMainCodec = ({ context: { offer, refusedCodec } }: Media) => refusedCodec ?? codecName(offer.codec)

export const selectMarks = ({ context }: Selection) => context
export const selectHasMarks = (snapshot: Selection) => !snapshot.matches('empty')
export const selectIsMeasuring = (snapshot: Selection) =>
  snapshot.matches({ whole: 'settling' }) || snapshot.matches({ whole: 'measuring' })
