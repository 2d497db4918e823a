import { createDrawnTrust, drawnTime } from './drawn-frame.ts'
import type { FrameTable } from './frame-table.ts'

/** `mediaTime` in seconds; `interval` between the last two consecutive frames. */
export interface FrameWatch {
  mediaTime(): number | null
  interval(): number
  forget(): void
  stop(): void
  /** Resolves when another frame is presented, or after `timeoutMs`. */
  next(timeoutMs: number): Promise<void>
  readonly table: FrameTable
}

const usualInterval = 1 / 25

/** Reading is expensive; reads within this time return the same value. */
const freshMs = 3
/** If a picture is loaded and no frame callback came for this long, the playhead is used instead. */
const silentMs = 500
/** A reported time farther from the playhead than this belongs to another picture. */
const restSlackSeconds = 0.1

/** Rounds the reported time down to the start of a frame in `table`. */
export function watchFrames(video: HTMLVideoElement, table: FrameTable, onPresented: () => void): FrameWatch {
  const seen = {
    mediaTime: null as number | null,
    interval: usualInterval,
    isStopped: false,
    handle: 0,
    forgottenAt: performance.now(),
  }
  const drawn = { refresh: null as number | null, at: 0, seconds: null as number | null }
  const trust = createDrawnTrust()
  const waiting = new Set<() => void>()
  const hasCallback = typeof HTMLVideoElement.prototype.requestVideoFrameCallback === 'function'

  const onFrame = (_: number, frame: VideoFrameCallbackMetadata) => {
    if (seen.isStopped) return
    const gap = seen.mediaTime === null ? 0 : frame.mediaTime - seen.mediaTime
    if (gap > 0.004 && gap < 0.25) seen.interval = Math.min(seen.interval, gap) * 0.5 + gap * 0.5
    seen.mediaTime = frame.mediaTime
    trust.compare(frame.mediaTime, video.playbackRate, () => drawnTime(video))
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

  /** The frame on the screen as the browser reports it; null before the first one. */
  const reported = (): number | null => {
    const isSilent =
      !hasCallback || (seen.mediaTime === null && performance.now() - seen.forgottenAt > silentMs && !video.seeking)
    if (isSilent) return video.readyState >= 2 ? video.currentTime : null
    if (seen.mediaTime === null) return null
    const [refresh, time] = [Number(document.timeline.currentTime), performance.now()]
    if (drawn.refresh !== refresh || time - drawn.at > freshMs) {
      Object.assign(drawn, { refresh, at: time, seconds: trust.isBelieved() ? drawnTime(video) : null })
    }
    const candidate = drawn.seconds ?? seen.mediaTime
    const slack = video.paused ? restSlackSeconds : Math.max(1, video.playbackRate * 0.5)
    const isLeftBehind = !video.seeking && Math.abs(video.currentTime - candidate) > slack
    return isLeftBehind ? video.currentTime : candidate
  }

  return {
    table,
    mediaTime() {
      const time = reported()
      return time === null ? null : (table.at(time) ?? time)
    },
    interval: () => seen.interval,
    forget() {
      Object.assign(seen, { mediaTime: null, interval: usualInterval, forgottenAt: performance.now() })
      drawn.refresh = null
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
