/** The frame on the screen: its media time in seconds, and how far apart frames were when last two followed each other. */
export interface FrameWatch {
  mediaTime(): number | null
  interval(): number
  forget(): void
  stop(): void
  /** Resolves when another frame is presented, or after `timeoutMs`. */
  next(timeoutMs: number): Promise<void>
}

const usualInterval = 1 / 25

/** Asking costs; whoever asks again within the same drawing of the page, and this soon, hears the same. */
const freshMs = 3

/**
 * The media time of the frame that a canvas would draw now, in seconds; null where the browser can't tell.
 * requestVideoFrameCallback tells of a frame up to a screen's refresh after it was swapped in, and far later on a busy
 * machine; at 16× that is many frames of media.
 */
function drawnTime(video: HTMLVideoElement): number | null {
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

/** Watches what `<video>` presents by requestVideoFrameCallback; without it, by the playhead, every animation frame. */
export function watchFrames(video: HTMLVideoElement, onPresented: () => void): FrameWatch {
  const seen: { mediaTime: number | null; interval: number; isStopped: boolean; handle: number } = {
    mediaTime: null,
    interval: usualInterval,
    isStopped: false,
    handle: 0,
  }
  const drawn = { refresh: null as number | null, at: 0, seconds: null as number | null }
  const waiting = new Set<() => void>()
  const hasCallback = typeof HTMLVideoElement.prototype.requestVideoFrameCallback === 'function'

  const onFrame = (_: number, frame: VideoFrameCallbackMetadata) => {
    if (seen.isStopped) return
    const gap = seen.mediaTime === null ? 0 : frame.mediaTime - seen.mediaTime
    if (gap > 0.004 && gap < 0.25) seen.interval = Math.min(seen.interval, gap) * 0.5 + gap * 0.5
    seen.mediaTime = frame.mediaTime
    for (const resolve of waiting) resolve()
    waiting.clear()
    onPresented()
    seen.handle = video.requestVideoFrameCallback(onFrame)
  }
  const onAnimation = () => {
    onPresented()
    seen.handle = requestAnimationFrame(onAnimation)
  }
  seen.handle = hasCallback ? video.requestVideoFrameCallback(onFrame) : requestAnimationFrame(onAnimation)

  return {
    mediaTime() {
      if (!hasCallback) return video.readyState >= 2 ? video.currentTime : null
      if (seen.mediaTime === null) return null
      const [refresh, time] = [Number(document.timeline.currentTime), performance.now()]
      if (drawn.refresh !== refresh || time - drawn.at > freshMs) Object.assign(drawn, { refresh, at: time, seconds: drawnTime(video) })
      if (drawn.seconds !== null) return drawn.seconds
      const isLeftBehind = !video.seeking && Math.abs(video.currentTime - seen.mediaTime) > Math.max(1, video.playbackRate * 0.5)
      return isLeftBehind ? video.currentTime : seen.mediaTime
    },
    interval: () => seen.interval,
    forget() {
      seen.mediaTime = null
      drawn.refresh = null
      seen.interval = usualInterval
    },
    stop() {
      seen.isStopped = true
      if (hasCallback) video.cancelVideoFrameCallback(seen.handle)
      else cancelAnimationFrame(seen.handle)
    },
    next: (timeoutMs) =>
      new Promise((resolve) => {
        waiting.add(resolve)
        setTimeout(resolve, timeoutMs)
      }),
  }
}

const probe = 1 / 120
/** A hair before a frame is the one before it. */
export const hairSeconds = 0.004
/** A frame that lies nearer to the start than this has none before it. */
const startSeconds = 0.002

/** `moved`: another frame is shown. `start` and `end`: there is none on that side. `lost`: none came in time. */
export type StepOutcome = 'moved' | 'start' | 'end' | 'lost'

/**
 * Goes to the next or the previous real frame between `start` and `end` (media seconds). On: probes in steps shorter than
 * any frame, from a little before where the next one was last seen to be, until another frame is shown.
 */
export async function stepFrame(video: HTMLVideoElement, frames: FrameWatch, direction: 1 | -1, { start, end }: { start: number; end: number }): Promise<StepOutcome> {
  const here = frames.mediaTime()
  if (here === null) return 'lost'
  const hasMoved = () => Math.abs((frames.mediaTime() ?? here) - here) > 0.002
  if (direction === -1) {
    if (here < start + startSeconds) return 'start'
    for (const back of [hairSeconds, frames.interval() / 2]) {
      video.currentTime = Math.max(0, here - back)
      await frames.next(400)
      if (hasMoved()) return 'moved'
    }
    return here < start + frames.interval() ? 'start' : 'lost'
  }
  const first = Math.max(1, Math.floor((frames.interval() * 0.6) / probe))
  for (let tried = first; tried < first + 60; tried += 1) {
    if (here + tried * probe >= end) return 'end'
    video.currentTime = here + tried * probe
    await frames.next(400)
    if (hasMoved()) return 'moved'
  }
  return 'lost'
}
