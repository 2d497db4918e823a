/** This many frames in a row must agree before a browser's `VideoFrame` timestamps are trusted. */
const enough = 3
/** A frame callback may be this many seconds late. */
const lateSeconds = 0.1
const sameSeconds = 0.002
/** A trusted source is checked again once every so many frames. */
const comparedEvery = 25

/**
 * The media time of the frame that a canvas would draw now, in seconds; null if the browser doesn't know it. The frame
 * callback lags by up to a screen refresh, and by more on a busy machine; at 16× that is many frames.
 */
export function drawnTime(video: HTMLVideoElement): number | null {
  if (typeof VideoFrame !== 'function' || video.readyState < 2) return null
  try {
    const frame = new VideoFrame(video)
    const seconds = frame.timestamp / 1_000_000
    frame.close()
    return seconds
  } catch {
    return null
  }
}

/** Trusts the value only while it agrees with the frame callback, as some browsers return whole seconds. */
export interface DrawnTrust {
  isBelieved(): boolean
  compare(mediaTime: number, rate: number, drawn: () => number | null): void
}

export function createDrawnTrust(): DrawnTrust {
  const last = { mediaTime: Number.NaN, drawn: Number.NaN, agreed: 0, skipped: 0 }
  return {
    isBelieved: () => last.agreed >= enough,
    compare(mediaTime, rate, ask) {
      if (last.agreed >= enough && last.skipped < comparedEvery) {
        last.skipped += 1
        return
      }
      const isOther = !(Math.abs(mediaTime - last.mediaTime) <= sameSeconds)
      const drawn = ask()
      if (drawn === null || !isOther) return
      const isNear = Math.abs(drawn - mediaTime) <= lateSeconds * Math.max(1, rate)
      const hasMoved = !(Math.abs(drawn - last.drawn) <= sameSeconds)
      Object.assign(last, { mediaTime, drawn, agreed: isNear && hasMoved ? last.agreed + 1 : 0, skipped: 0 })
    },
  }
}
