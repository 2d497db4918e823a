import type shakaTypes from 'shaka-player/dist/shaka-player.hls-es2021.js'

/** The end of a live playlist on the media timeline. All times are in seconds. */
export interface LiveEnd {
  /** Another playlist is loaded. */
  restart(): void
  isKnown(): boolean
  /** `end`: of the newest segment; `now`: of a clock that never steps back; `holdBack`: how far live stays behind. */
  note(end: number, now: number, holdBack: number): void
  /** Where the end should be now: an average, as new segments don't come evenly. */
  at(now: number): number
  /** How far it has fallen behind the clock since the load: the gaps of a camera that was away. */
  behind(): number
}

/** The weight of a new value in the moving average, which so covers three seconds of parts, or ten segments. */
const weight = 0.1
/** From this error on, or from the hold-back if that is longer, the average begins again: the camera was away. */
const awaySeconds = 2

export function createLiveEnd(): LiveEnd {
  const noted = { end: 0, growths: 0, ahead: 0, firstAhead: 0 }
  return {
    restart: () => void Object.assign(noted, { end: 0, growths: 0 }),
    isKnown: () => noted.growths > 0,
    note(end, now, holdBack) {
      if (end <= noted.end) return
      const error = end - now - noted.ahead
      if (noted.growths === 0) noted.firstAhead = end - now
      const isBack = Math.abs(error) > Math.max(awaySeconds, holdBack)
      noted.growths = isBack ? 1 : noted.growths + 1
      noted.ahead += error * Math.max(weight, 1 / noted.growths)
      noted.end = end
    },
    at: (now) => noted.ahead + now,
    behind: () => Math.max(0, noted.firstAhead - noted.ahead),
  }
}

/** In low latency the newest segment grows part by part, and includes the part that the server announces. */
export const endOf = (index: shakaTypes.media.SegmentIndex | null): number =>
  index?.get(index.getNumEvicted() + index.getNumReferences() - 1)?.getEndTime() ?? 0
