import { createDrawnTrust, drawnTime } from './drawn-frame.ts'
import type { FrameTable } from './frame-table.ts'

export interface FrameWatch {
  /** The start of the frame on the screen, in media seconds; null before the first one. */
  mediaTime(): number | null
  /** The same by the browser's reports alone, without the position that was sought. */
  reportedFrame(): number | null
  /** The start of the frame that was sought last, if the video has been paused since; otherwise null. */
  soughtFrame(): number | null
  /** Whether the browser reports the frame on the screen exactly. */
  isExact(): boolean
  /** The time between two frames, in seconds. */
  interval(): number
  /** Called when the source changes. */
  forget(): void
  stop(): void
  /** Resolves when another frame is presented, or after `timeoutMs`. */
  next(timeoutMs: number): Promise<void>
  readonly table: FrameTable
}

/** Seconds; until two frames have been presented. */
const defaultInterval = 1 / 25
/** Seconds; the times between frames outside this are of seeks and dropped frames. */
const plausibleInterval = { min: 0.004, max: 0.25 }

/** Reading `drawnTime` is expensive: reads of one screen refresh within this many media milliseconds agree. */
const drawnFreshMs = 10
/** Without a frame callback for this long after `forget`, the playhead of a loaded picture is used. */
const callbackTimeoutMs = 500
/** A playhead this near to the position that was sought, in seconds, has not moved since. */
const unmovedSeconds = 0.001
/** While paused, a reported time farther from the playhead than this is of an earlier frame. */
const pausedSlackSeconds = 0.1

/** Calls `onPresented` for each new frame, or in each animation frame of a browser without frame callbacks. */
export function watchFrames(video: HTMLVideoElement, table: FrameTable, onPresented: () => void): FrameWatch {
  const state = {
    mediaTime: null as number | null,
    interval: defaultInterval,
    isStopped: false,
    handle: 0,
    forgottenAt: performance.now(),
    soughtTime: Number.NaN,
  }
  const drawn = { refresh: null as number | null, at: 0, seconds: null as number | null }
  const trust = createDrawnTrust()
  const waiting = new Set<() => void>()
  const hasFrameCallback = typeof HTMLVideoElement.prototype.requestVideoFrameCallback === 'function'

  const onSeeking = () => {
    state.soughtTime = video.paused ? video.currentTime : Number.NaN
  }
  video.addEventListener('seeking', onSeeking)
  const endWaiting = () => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  const onFrame = (_: number, frame: VideoFrameCallbackMetadata) => {
    if (state.isStopped) return
    const gap = state.mediaTime === null ? 0 : frame.mediaTime - state.mediaTime
    if (gap > plausibleInterval.min && gap < plausibleInterval.max)
      state.interval = Math.min(state.interval, gap) * 0.5 + gap * 0.5
    state.mediaTime = frame.mediaTime
    trust.compare(frame.mediaTime, video.playbackRate, () => drawnTime(video))
    endWaiting()
    onPresented()
    state.handle = video.requestVideoFrameCallback(onFrame)
  }
  const onAnimation = () => {
    if (!video.seeking) endWaiting()
    onPresented()
    state.handle = requestAnimationFrame(onAnimation)
  }
  state.handle = hasFrameCallback ? video.requestVideoFrameCallback(onFrame) : requestAnimationFrame(onAnimation)

  /** The time of the frame on the screen as the browser reports it; null before the first one. */
  const reportedTime = (): number | null => {
    const hasNoReports =
      !hasFrameCallback ||
      (state.mediaTime === null && performance.now() - state.forgottenAt > callbackTimeoutMs && !video.seeking)
    if (hasNoReports) return video.readyState >= 2 ? video.currentTime : null
    if (state.mediaTime === null) return null
    const [refresh, time] = [Number(document.timeline.currentTime), performance.now()]
    if (drawn.refresh !== refresh || time - drawn.at > drawnFreshMs / Math.max(1, video.playbackRate)) {
      Object.assign(drawn, { refresh, at: time, seconds: trust.isTrusted() ? drawnTime(video) : null })
    }
    return drawn.seconds ?? state.mediaTime
  }
  const frameOf = (time: number): number => table.at(time) ?? time
  const isOutdated = (time: number): boolean => {
    const slack = video.paused ? pausedSlackSeconds : Math.max(1, video.playbackRate * 0.5)
    return !video.seeking && Math.abs(video.currentTime - time) > slack
  }
  const soughtFrame = (): number | null => {
    const { paused, currentTime } = video
    const isUnmoved = paused && Math.abs(currentTime - state.soughtTime) < unmovedSeconds
    return isUnmoved ? (table.at(currentTime) ?? null) : null
  }

  return {
    table,
    mediaTime() {
      const time = reportedTime()
      if (time === null) return null
      const sought = video.seeking ? null : soughtFrame()
      return sought ?? frameOf(isOutdated(time) ? video.currentTime : time)
    },
    reportedFrame() {
      const time = reportedTime()
      return time === null ? null : frameOf(time)
    },
    soughtFrame,
    isExact: () => hasFrameCallback && trust.isTrusted(),
    interval: () => state.interval,
    forget() {
      Object.assign(state, {
        mediaTime: null,
        interval: defaultInterval,
        forgottenAt: performance.now(),
        soughtTime: Number.NaN,
      })
      drawn.refresh = null
    },
    stop() {
      state.isStopped = true
      video.removeEventListener('seeking', onSeeking)
      if (hasFrameCallback) video.cancelVideoFrameCallback(state.handle)
      else cancelAnimationFrame(state.handle)
    },
    next: (timeoutMs) =>
      new Promise((resolve) => {
        waiting.add(resolve)
        setTimeout(resolve, timeoutMs)
      }),
  }
}
