import { isMutedAt } from '../live/live-edge.ts'
import type { ClockReading } from './shared-clock.ts'
import type { UtcMap } from '../playlist/utc-map.ts'

/** Above this, in milliseconds of watching, a picture is sought. */
const seekMs = 500
/** A change of speed that is worth its while. */
const minShare = 0.03
/** A drift is made up for within about this time, where `maxShare` allows it. */
const settlingMs = 1000

/** From how far off a picture is hurried or slowed, and until how near, in milliseconds of watching. */
interface Holding {
  readonly start: number
  readonly end: number
  /** A change of speed that nobody sees, nor hears with the pitch kept; without sound it may be larger. */
  readonly maxShare: number
}

/** Half a frame at 1×; what is watched faster is as far off as its pictures are apart. */
function holdingAt(rate: number): Holding {
  const start = Math.max(6, 20 / Math.max(1, rate))
  return { start, end: start * 0.3, maxShare: isMutedAt(rate) ? 0.3 : 0.1 }
}

function shareFor(drift: number, { maxShare }: Holding): number {
  const share = Math.min(maxShare, Math.max(minShare, Math.abs(drift) / settlingMs))
  return (-Math.sign(drift) * Math.round(share * 100)) / 100
}

/**
 * By what share a picture is to be played faster (slower: negative) than its clock, which goes on at `rate`, when it is
 * `drift` ahead of it (behind: negative), in milliseconds of watching, and is already played faster by `share`; null
 * where it has to be sought. Once begun, a correction goes on to its end: a picture with sound loses some milliseconds
 * with every change of its rate.
 */
export function correctionShare(drift: number, share: number, rate: number): number | null {
  if (Math.abs(drift) > seekMs) return null
  const holding = holdingAt(rate)
  if (share === 0) return Math.abs(drift) > holding.start ? shareFor(drift, holding) : 0
  if (Math.abs(drift) <= holding.end || Math.sign(drift) === Math.sign(share)) return 0
  const wanted = shareFor(drift, holding)
  return Math.abs(wanted) >= Math.abs(share) + minShare ? wanted : share
}

/**
 * Chromium plays sound at exactly 1 in another way than at any other rate, and a picture with sound falls 26 ms behind
 * whenever it leaves it (measured); so near to 1 the sound isn't touched by what is corrected.
 */
const nearlyOne = 1.001

export type SyncedVideo = Pick<HTMLVideoElement, 'currentTime' | 'seeking' | 'readyState' | 'paused' | 'playbackRate'>

export interface SyncControllerParts {
  video: () => SyncedVideo | null
  map: () => UtcMap | null
  play: () => void
  hold: () => void
  setRate: (rate: number) => void
}

/** A rounding of a moment to milliseconds must not show the frame before it. */
const nudge = 0.002
/** A resting picture this near its place, in seconds, is there; any farther could be another frame. */
const hereSeconds = 0.0005
const gapMs = 60
/** Who comes this much too early, in milliseconds of watching, waits. */
const earlyMs = 20
const firstLeadMs = 150
const maxLeadMs = 1200
const betweenSeeksMs = 400

/** Whether a picture rests at its place or has what it needs to go on from there. */
export interface SyncController {
  update(reading: ClockReading, time: number): void
  isSettled(reading: ClockReading): boolean
  forget(): void
}

/**
 * Keeps a picture at the moment of a clock: a resting one at its frame, a moving one by small changes of its rate, by a
 * seek where it is too far away. In a gap it waits at the first frame of what follows. A seek aims ahead by as long as
 * the last ones took.
 */
export function createSyncController({
  video: videoOf,
  map: mapOf,
  play,
  hold,
  setRate,
}: SyncControllerParts): SyncController {
  const last = {
    soughtAt: Number.NEGATIVE_INFINITY,
    place: Number.NaN,
    isTimed: false,
    lead: firstLeadMs,
    rate: 0,
    share: 0,
    isArriving: true,
    hasMoved: false,
  }
  /** A picture that was stopped may show the frame after; only one that was sought or loaded tells its frame. */
  const isAt = (video: SyncedVideo, media: number) =>
    video.paused && !last.hasMoved && Math.abs(video.currentTime - media - nudge) <= hereSeconds

  const seek = (video: SyncedVideo, media: number, time: number, isTimed: boolean) => {
    Object.assign(last, { soughtAt: time, place: media, isTimed, share: 0, isArriving: true, hasMoved: false })
    video.currentTime = media + nudge
  }

  const rest = (video: SyncedVideo, media: number, time: number) => {
    if (!video.paused) hold()
    const wasSought = !last.hasMoved && last.place === media && time - last.soughtAt < betweenSeeksMs
    if (!isAt(video, media) && !wasSought) seek(video, media, time, false)
    last.isArriving = true
  }

  const run = (video: SyncedVideo, map: UtcMap, { at, rate }: ClockReading, time: number) => {
    if (last.isTimed && video.readyState >= 3) {
      last.lead = Math.min(maxLeadMs, last.lead * 0.5 + (time - last.soughtAt) * 0.5)
      last.isTimed = false
    }
    const drift = (map.toUtc(video.currentTime) - at) / Math.max(1, rate)
    const share = correctionShare(drift, last.share, rate)
    if (share === null) {
      const media = map.toMedia(at + last.lead * rate)
      if (media !== null && time - last.soughtAt > betweenSeeksMs) seek(video, media, time, true)
      return
    }
    if (last.isArriving && drift > earlyMs) {
      if (!video.paused) hold()
      return
    }
    last.isArriving = false
    last.share = share
    if (video.paused) play()
    const corrected = (rate === 1 ? nearlyOne : rate) * (1 + share)
    if (Math.abs(video.playbackRate - corrected) > 0.0005) video.playbackRate = corrected
  }

  return {
    update(reading, time) {
      const [video, map] = [videoOf(), mapOf()]
      if (video === null || map === null) return
      if (reading.rate !== 0 && reading.rate !== last.rate) {
        last.rate = reading.rate
        setRate(reading.rate)
      }
      if (video.seeking) return
      if (!video.paused) last.hasMoved = true
      const media = map.toMedia(reading.at)
      if (media === null) {
        if (!video.paused) hold()
        return
      }
      if (reading.rate === 0 || map.toUtc(media) > reading.at + gapMs) rest(video, media, time)
      else if (video.readyState >= 3 || video.paused) run(video, map, reading, time)
    },
    isSettled({ at }) {
      const [video, map] = [videoOf(), mapOf()]
      const media = map?.toMedia(at) ?? null
      if (video === null || media === null || video.seeking || video.readyState < 3) return false
      return isAt(video, media)
    },
    forget() {
      Object.assign(last, {
        soughtAt: Number.NEGATIVE_INFINITY,
        place: Number.NaN,
        isTimed: false,
        rate: 0,
        share: 0,
        isArriving: true,
        hasMoved: false,
      })
    },
  }
}
