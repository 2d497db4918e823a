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

/** Watches what `<video>` presents by requestVideoFrameCallback; without it, by the playhead, every animation frame. */
export function watchFrames(video: HTMLVideoElement, onPresented: () => void): FrameWatch {
  const seen: { mediaTime: number | null; interval: number; isStopped: boolean; handle: number } = {
    mediaTime: null,
    interval: usualInterval,
    isStopped: false,
    handle: 0,
  }
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
      const isLeftBehind = !video.seeking && Math.abs(video.currentTime - seen.mediaTime) > Math.max(1, video.playbackRate * 0.5)
      return isLeftBehind ? video.currentTime : seen.mediaTime
    },
    interval: () => seen.interval,
    forget() {
      seen.mediaTime = null
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

/**
 * Goes to the next or the previous real frame. Back: a hair before this frame is the one before it. On: probes in steps
 * shorter than any frame, from a little before where the next one was last seen to be, until another frame is shown.
 */
export async function stepFrame(video: HTMLVideoElement, frames: FrameWatch, direction: 1 | -1): Promise<void> {
  const start = frames.mediaTime()
  if (start === null) return
  if (direction === -1) {
    video.currentTime = Math.max(0, start - 0.004)
    await frames.next(400)
    return
  }
  const first = Math.max(1, Math.floor((frames.interval() * 0.6) / probe))
  for (let tried = first; tried < first + 60; tried += 1) {
    video.currentTime = start + tried * probe
    await frames.next(400)
    if (Math.abs((frames.mediaTime() ?? start) - start) > 0.002) return
  }
}
