/** So many frames in a row have to agree before a browser's `VideoFrame` is believed. */
const enough = 3
/** Seconds of watching by which a callback may tell of a frame later than it was drawn. */
const lateSeconds = 0.1
const sameSeconds = 0.002
/** Once believed, it is compared again with every so many frames. */
const comparedEvery = 25

/**
 * The media time of the frame that a canvas would draw now, in seconds; null where the browser can't tell. The callback
 * of frames tells of one up to a screen's refresh later, and far later on a busy machine; at 16× that is many frames.
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

/** Only where it agrees with the callback of frames, time after time: some browsers have whole seconds in it. */
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
