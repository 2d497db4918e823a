import { isMutedAt } from '../live/live-edge.ts'
import { seekNudgeSeconds } from '../seek-nudge.ts'
import type { ClockReading } from './shared-clock.ts'
import type { UtcMap } from '../playlist/utc-map.ts'

/** A larger drift, in milliseconds of real time, is corrected by a seek. */
const seekMs = 500
/** The smallest correction of the rate, as a fraction of it. */
const minCorrection = 0.03
/** The time within which a drift is corrected, as far as `maxCorrection` allows. */
const settlingMs = 1000

/** Drifts at which a correction starts and ends, in milliseconds of real time. */
interface Thresholds {
  readonly start: number
  readonly end: number
  /** The largest imperceptible correction; larger without sound. */
  readonly maxCorrection: number
}

/** `start` is half a frame at 1×; faster playback shows more frames in the same time. */
function thresholdsAt(rate: number): Thresholds {
  const start = Math.max(6, 20 / Math.max(1, rate))
  return { start, end: start * 0.3, maxCorrection: isMutedAt(rate) ? 0.3 : 0.1 }
}

function correctionOf(drift: number, { maxCorrection }: Thresholds): number {
  const correction = Math.min(maxCorrection, Math.max(minCorrection, Math.abs(drift) / settlingMs))
  return (-Math.sign(drift) * Math.round(correction * 100)) / 100
}

/**
 * The correction of the rate, as a fraction of it: positive plays faster. Null: the picture must seek. `drift`: how far
 * the picture is ahead of its clock, in milliseconds of real time, negative if behind; `current`: the correction so
 * far. A correction runs to its end, as with sound each change of rate costs some milliseconds.
 */
export function rateCorrection(drift: number, current: number, rate: number): number | null {
  if (Math.abs(drift) > seekMs) return null
  const thresholds = thresholdsAt(rate)
  if (current === 0) return Math.abs(drift) > thresholds.start ? correctionOf(drift, thresholds) : 0
  if (Math.abs(drift) <= thresholds.end || Math.sign(drift) === Math.sign(current)) return 0
  const next = correctionOf(drift, thresholds)
  return Math.abs(next) >= Math.abs(current) + minCorrection ? next : current
}

/**
 * Played instead of 1×: Chromium handles sound differently at a rate of exactly 1, and leaving that rate costs 26 ms
 * (measured).
 */
const nearlyOne = 1.001
/** Chromium throws at a higher rate. */
const maxRate = 16

export type SyncedVideo = Pick<HTMLVideoElement, 'currentTime' | 'seeking' | 'readyState' | 'paused' | 'playbackRate'>

export interface SyncControllerParts {
  video: () => SyncedVideo | null
  map: () => UtcMap | null
  /** The last keyframe at or before a position, in media seconds. */
  keyframeAt: (media: number) => number
  play: () => void
  hold: () => void
  setRate: (rate: number) => void
}

/** A paused picture this near to its target has reached it; one farther away may show another frame. */
const hereSeconds = 0.0005
/** A clock this far before the next recorded moment is in a gap. */
const gapMs = 60
/** After a seek, a picture that is ahead of the clock by more than this waits. */
const earlyMs = 20
/** How far a seek during playback aims ahead of the clock, as the seek itself takes time. */
const firstLeadMs = 150
const maxLeadMs = 1200
const betweenSeeksMs = 400

export interface SyncController {
  /** To be called in every animation frame; `time` in milliseconds of a clock that never steps back. */
  update(reading: ClockReading, time: number): void
  /** Whether the paused picture shows the clock's moment and has data to play on. */
  isSettled(reading: ClockReading): boolean
  forget(): void
}

/**
 * Keeps a picture at the moment of a clock: a paused picture by seeks, a playing one by small changes of its rate, or
 * by a seek if it is too far away. In a gap the picture waits at the first frame after the gap. Backwards the paused
 * picture is the last keyframe at or before the moment.
 */
export function createSyncController({
  video: videoOf,
  map: mapOf,
  keyframeAt,
  play,
  hold,
  setRate,
}: SyncControllerParts): SyncController {
  const last = {
    soughtAt: Number.NEGATIVE_INFINITY,
    soughtMedia: Number.NaN,
    /** The duration of this seek will adjust `lead`. */
    isTimed: false,
    /** How far seeks aim ahead, in milliseconds: a moving average of their durations. */
    lead: firstLeadMs,
    rate: 0,
    correction: 0,
    isArriving: true,
    hasPlayed: false,
  }
  /** A picture that has played may show the next frame; only a seek or a load shows exactly the requested one. */
  const isAt = (video: SyncedVideo, media: number) =>
    video.paused && !last.hasPlayed && Math.abs(video.currentTime - media - seekNudgeSeconds) <= hereSeconds

  /** Media seconds of the picture of a moment; null outside the loaded range. */
  const targetOf = (map: UtcMap, { at, rate }: ClockReading): number | null => {
    const media = map.toMedia(at)
    return media === null || rate >= 0 ? media : keyframeAt(media)
  }

  const seek = (video: SyncedVideo, media: number, time: number, isTimed: boolean) => {
    Object.assign(last, { soughtAt: time, soughtMedia: media, isTimed, correction: 0, isArriving: true })
    last.hasPlayed = false
    video.currentTime = media + seekNudgeSeconds
  }

  const holdAt = (video: SyncedVideo, media: number, time: number) => {
    if (!video.paused) hold()
    const wasSought = !last.hasPlayed && last.soughtMedia === media && time - last.soughtAt < betweenSeeksMs
    if (!isAt(video, media) && !wasSought) seek(video, media, time, false)
    last.isArriving = true
  }

  const playWith = (video: SyncedVideo, map: UtcMap, { at, rate }: ClockReading, time: number) => {
    if (last.isTimed && video.readyState >= 3) {
      last.lead = Math.min(maxLeadMs, last.lead * 0.5 + (time - last.soughtAt) * 0.5)
      last.isTimed = false
    }
    const drift = (map.toUtc(video.currentTime) - at) / Math.max(1, rate)
    const correction = rateCorrection(drift, last.correction, rate)
    if (correction === null) {
      const media = map.toMedia(at + last.lead * rate)
      if (media !== null && time - last.soughtAt > betweenSeeksMs) seek(video, media, time, true)
      return
    }
    if (last.isArriving && drift > earlyMs) {
      if (!video.paused) hold()
      return
    }
    last.isArriving = false
    last.correction = correction
    if (video.paused) play()
    const corrected = Math.min(maxRate, (rate === 1 ? nearlyOne : rate) * (1 + correction))
    if (Math.abs(video.playbackRate - corrected) > 0.0005) video.playbackRate = corrected
  }

  return {
    update(reading, time) {
      const [video, map] = [videoOf(), mapOf()]
      if (video === null || map === null) return
      if (reading.rate > 0 && reading.rate !== last.rate) {
        last.rate = reading.rate
        setRate(reading.rate)
      }
      if (video.seeking) return
      if (!video.paused) last.hasPlayed = true
      const media = targetOf(map, reading)
      if (media === null) {
        if (!video.paused) hold()
        return
      }
      if (reading.rate <= 0 || map.toUtc(media) > reading.at + gapMs) holdAt(video, media, time)
      else if (video.readyState >= 3 || video.paused) playWith(video, map, reading, time)
    },
    isSettled(reading) {
      const [video, map] = [videoOf(), mapOf()]
      const media = map === null ? null : targetOf(map, reading)
      if (video === null || media === null || video.seeking || video.readyState < 3) return false
      return isAt(video, media)
    },
    forget() {
      Object.assign(last, {
        soughtAt: Number.NEGATIVE_INFINITY,
        soughtMedia: Number.NaN,
        isTimed: false,
        rate: 0,
        correction: 0,
        isArriving: true,
        hasPlayed: false,
      })
    },
  }
}
