import { isMutedAt } from '../live/live-edge.ts'
import type { ClockReading } from './shared-clock.ts'
import type { UtcMap } from '../playlist/utc-map.ts'

/** A larger drift, in milliseconds at the current speed, is corrected by a seek. */
const seekMs = 500
/** The smallest change of rate. */
const minShare = 0.03
/** The time within which a drift is corrected, as far as `maxShare` allows. */
const settlingMs = 1000

/** Thresholds at which a correction starts and ends, in milliseconds at the current speed. */
interface Holding {
  readonly start: number
  readonly end: number
  /** The largest imperceptible change of rate; larger without sound. */
  readonly maxShare: number
}

/** Half a frame at 1×; at higher speeds frames are farther apart. */
function holdingAt(rate: number): Holding {
  const start = Math.max(6, 20 / Math.max(1, rate))
  return { start, end: start * 0.3, maxShare: isMutedAt(rate) ? 0.3 : 0.1 }
}

function shareFor(drift: number, { maxShare }: Holding): number {
  const share = Math.min(maxShare, Math.max(minShare, Math.abs(drift) / settlingMs))
  return (-Math.sign(drift) * Math.round(share * 100)) / 100
}

/**
 * The change of rate, as a fraction, for a picture that is `drift` ahead of its clock (behind: negative), in
 * milliseconds at the current `rate`, and currently plays faster by `share`; null if it must seek. A correction runs to
 * its end: with sound, each change of rate costs some milliseconds.
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
 * Chromium handles sound differently at a rate of exactly 1: leaving it costs 26 ms (measured), so small corrections
 * don't change the rate of pictures with sound.
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

/** Keeps a moment rounded to milliseconds from showing the frame before it. */
const nudge = 0.002
/** A paused picture this near its target, in seconds, has reached it; farther could be another frame. */
const hereSeconds = 0.0005
const gapMs = 60
/** A picture that is early by more than this, in milliseconds, waits. */
const earlyMs = 20
const firstLeadMs = 150
const maxLeadMs = 1200
const betweenSeeksMs = 400

/** Whether a paused picture is at its target, or a playing one can continue. */
export interface SyncController {
  update(reading: ClockReading, time: number): void
  isSettled(reading: ClockReading): boolean
  forget(): void
}

/**
 * Keeps a picture at the moment of a clock: a paused one by seeks, a playing one by small changes of its rate, or by a
 * seek if it is too far away. In a gap it waits at the first frame after it. Seeks aim ahead by the time that recent
 * ones took.
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
    target: Number.NaN,
    isTimed: false,
    lead: firstLeadMs,
    rate: 0,
    share: 0,
    isArriving: true,
    hasMoved: false,
  }
  /** After a pause the video may show the next frame; only a seek or a load shows exactly the requested one. */
  const isAt = (video: SyncedVideo, media: number) =>
    video.paused && !last.hasMoved && Math.abs(video.currentTime - media - nudge) <= hereSeconds

  const seek = (video: SyncedVideo, media: number, time: number, isTimed: boolean) => {
    Object.assign(last, { soughtAt: time, target: media, isTimed, share: 0, isArriving: true, hasMoved: false })
    video.currentTime = media + nudge
  }

  const rest = (video: SyncedVideo, media: number, time: number) => {
    if (!video.paused) hold()
    const wasSought = !last.hasMoved && last.target === media && time - last.soughtAt < betweenSeeksMs
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
        target: Number.NaN,
        isTimed: false,
        rate: 0,
        share: 0,
        isArriving: true,
        hasMoved: false,
      })
    },
  }
}
