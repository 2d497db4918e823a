import type { Beat } from './metronome.ts'
import type { UtcMap } from './utc-map.ts'

/** Below this a picture counts as being where it should be; above the other it is sought instead of hurried. */
const slackMs = 6
const seekMs = 500
/** A change of speed that nobody sees, nor hears with the pitch kept. */
const mostShare = 0.1
/** A drift is made up for within about this time, where `mostShare` allows it. */
const settlingMs = 500

/**
 * The rate for a picture that is `driftMs` ahead of its clock (behind: negative), in milliseconds of media; null where it
 * has to be sought. What counts is how long a drift lasts for who watches: at 4× a quarter of it.
 */
export function followRate(driftMs: number, rate: number): number | null {
  const drift = driftMs / Math.max(1, rate)
  if (Math.abs(drift) > seekMs) return null
  if (Math.abs(drift) <= slackMs) return rate
  const share = Math.max(-mostShare, Math.min(mostShare, -drift / settlingMs))
  return rate * (1 + Math.round(share * 100) / 100)
}

/** What a follower moves: the parts of a `<video>` that it reads and sets. */
export type Followed = Pick<HTMLVideoElement, 'currentTime' | 'seeking' | 'readyState' | 'paused' | 'playbackRate'>

export interface FollowerParts {
  /** Null while nothing is loaded. */
  video: () => Followed | null
  map: () => UtcMap | null
  play: () => void
  hold: () => void
  /** The rate that is asked for; the follower's own small corrections go to the video alone. */
  setRate: (rate: number) => void
}

/** A rounding of a moment to milliseconds must not show the frame before it. */
const nudge = 0.002
/** A resting picture this near its place, in seconds, is there. */
const hereSeconds = 0.004
/** What follows a moment by more than this lies behind a gap. */
const gapMs = 60
/** Who comes this much too early, in milliseconds of watching, waits. */
const earlyMs = 20
const firstLeadMs = 150
const mostLeadMs = 1200
const betweenSeeksMs = 400

/** Whether a picture rests at its place or has what it needs to go on from there. */
export interface Follower {
  look(beat: Beat, time: number): void
  isSettled(beat: Beat): boolean
  forget(): void
}

/**
 * Keeps a picture at the moment of a clock: a resting one at its frame, a moving one by small changes of its rate, by a
 * seek where it is too far away. In a gap it waits at the first frame of what follows. A seek aims ahead by as long as
 * the last ones took.
 */
export function createFollower({ video: videoOf, map: mapOf, play, hold, setRate }: FollowerParts): Follower {
  const last = { soughtAt: Number.NEGATIVE_INFINITY, place: Number.NaN, isTimed: false, lead: firstLeadMs, rate: 0, isArriving: true }

  const seek = (video: Followed, media: number, time: number, isTimed: boolean) => {
    Object.assign(last, { soughtAt: time, place: media, isTimed, isArriving: true })
    video.currentTime = media + nudge
  }

  const rest = (video: Followed, media: number, time: number) => {
    if (!video.paused) hold()
    const isThere = Math.abs(video.currentTime - media - nudge) <= hereSeconds
    const wasSought = last.place === media && time - last.soughtAt < betweenSeeksMs
    if (!isThere && !wasSought) seek(video, media, time, false)
    last.isArriving = true
  }

  const run = (video: Followed, map: UtcMap, { at, rate }: Beat, time: number) => {
    if (last.isTimed && video.readyState >= 3) {
      last.lead = Math.min(mostLeadMs, last.lead * 0.5 + (time - last.soughtAt) * 0.5)
      last.isTimed = false
    }
    const drift = map.toUtc(video.currentTime) - at
    const corrected = followRate(drift, rate)
    if (corrected === null) {
      const media = map.toMedia(at + last.lead * rate)
      if (media !== null && time - last.soughtAt > betweenSeeksMs) seek(video, media, time, true)
      return
    }
    if (last.isArriving && drift > earlyMs * rate) {
      if (!video.paused) hold()
      return
    }
    last.isArriving = false
    if (video.paused) play()
    if (Math.abs(video.playbackRate - corrected) > 0.001) video.playbackRate = corrected
  }

  return {
    look(beat, time) {
      const [video, map] = [videoOf(), mapOf()]
      if (video === null || map === null) return
      if (beat.rate !== 0 && beat.rate !== last.rate) {
        last.rate = beat.rate
        setRate(beat.rate)
      }
      if (video.seeking) return
      const media = map.toMedia(beat.at)
      if (media === null) {
        if (!video.paused) hold()
        return
      }
      if (beat.rate === 0 || map.toUtc(media) > beat.at + gapMs) rest(video, media, time)
      else if (video.readyState >= 3 || video.paused) run(video, map, beat, time)
    },
    isSettled({ at }) {
      const [video, map] = [videoOf(), mapOf()]
      const media = map?.toMedia(at) ?? null
      if (video === null || media === null || video.seeking || video.readyState < 3) return false
      return Math.abs(video.currentTime - media - nudge) <= hereSeconds
    },
    forget() {
      Object.assign(last, { soughtAt: Number.NEGATIVE_INFINITY, place: Number.NaN, isTimed: false, rate: 0, isArriving: true })
    },
  }
}
