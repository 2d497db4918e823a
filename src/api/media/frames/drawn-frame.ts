/** `VideoFrame` timestamps are trusted after so many frames in a row in which they agree with the frame callback. */
const trustedAfter = 3
/** The longest delay of a frame callback, in seconds at 1×. */
const lateSeconds = 0.1
const sameSeconds = 0.002
/** While they are trusted, so many frames are skipped between two comparisons. */
const comparedEvery = 25

/**
 * The media time of the frame that a canvas would draw now, in seconds; null if the browser doesn't know it. It is more
 * exact than the frame callback, which comes up to a screen refresh late, and later on a busy machine: at 16× many
 * frames.
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

/** Trusts `drawnTime` only while it agrees with the frame callback, as some browsers round it to whole seconds. */
export interface DrawnTrust {
  isTrusted(): boolean
  /** `mediaTime`: of the frame callback; `readDrawn`: reads `drawnTime`, called only if the frame is compared. */
  compare(mediaTime: number, rate: number, readDrawn: () => number | null): void
}

export function createDrawnTrust(): DrawnTrust {
  /** The last compared frame; how many frames in a row agreed, and how many were skipped since. */
  const last = { mediaTime: Number.NaN, drawn: Number.NaN, agreed: 0, skipped: 0 }
  return {
    isTrusted: () => last.agreed >= trustedAfter,
    compare(mediaTime, rate, readDrawn) {
      if (last.agreed >= trustedAfter && last.skipped < comparedEvery) {
        last.skipped += 1
        return
      }
      const isNewFrame = !(Math.abs(mediaTime - last.mediaTime) <= sameSeconds)
      const drawn = readDrawn()
      if (drawn === null || !isNewFrame) return
      const isNear = Math.abs(drawn - mediaTime) <= lateSeconds * Math.max(1, rate)
      const hasAdvanced = !(Math.abs(drawn - last.drawn) <= sameSeconds)
      Object.assign(last, { mediaTime, drawn, agreed: isNear && hasAdvanced ? last.agreed + 1 : 0, skipped: 0 })
    },
  }
}
