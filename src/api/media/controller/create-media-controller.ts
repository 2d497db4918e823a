import { createControllerState, type ControllerState } from './controller-state.ts'
import type { StartAt } from '../engine/engine.ts'
import { createLiveEdgeController } from '../live/live-edge-controller.ts'
import type { LiveGroup } from '../live/live-group.ts'
import { createLoopWatch } from './loop.ts'
import { createLooping } from './looping.ts'
import type { MediaController, Source } from './media-controller.ts'
import { keyframesOf } from './keyframes.ts'
import { boxOf } from './picture-box.ts'
import { createPlaybackStats } from './playback-stats.ts'
import { mediaTimeOf, recordedUpTo, segmentStartBefore } from '../playlist/playlist.ts'
import { reportPressedOutside } from './pressed-outside.ts'
import { createProgressWatch } from './progress.ts'
import { createReversing } from './reversing.ts'
import { createSound } from './sound.ts'
import { createSourceLoader } from './source-loader.ts'
import { epsilonSeconds } from './step-frame.ts'
import { createStepper } from './stepping.ts'
import { createSyncLoop, type SyncLoop } from '../sync/sync-loop.ts'
import { createTransport, type Transport } from './transport.ts'
import { seekNudgeSeconds } from '../seek-nudge.ts'
import { attachVideo, type VideoAttachment } from './video-attachment.ts'
import { createWatchdog } from './watchdog.ts'

/** The usual time from a load to its first frame: the shared clock advances by about this much. */
const loadingMs = 300

const syncLoopOf = (state: ControllerState, transport: Transport): SyncLoop => {
  const keyframes = keyframesOf(state)
  return createSyncLoop({
    video: () => (state.isLoaded ? (state.attached?.video ?? null) : null),
    map: state.segmentTimeline.map,
    keyframeAt: (media) => keyframes.at(media) ?? media,
    play: () => transport.setPlaying(true),
    hold: () => transport.setPlaying(false),
    setRate(rate) {
      state.requested.rate = rate
      transport.applyRate()
    },
  })
}

/**
 * Where an archive starts: with a shared clock at its moment after loading, without one at the requested seek, or at
 * the start of the source; backwards, at its last keyframe.
 */
const startOf =
  (state: ControllerState, syncLoop: SyncLoop): StartAt =>
  (segments) => {
    const { source, seekTo, startAt, rate } = state.requested
    if (source?.kind !== 'archive') return 0
    if (rate < 0) return segmentStartBefore(segments, seekTo ?? startAt ?? source.to) + seekNudgeSeconds
    const reading = syncLoop.reading()
    if (reading !== null && reading.rate < 0) return segmentStartBefore(segments, reading.at + 1) + seekNudgeSeconds
    const at = reading === null ? (seekTo ?? startAt ?? source.from) : reading.at + loadingMs * reading.rate
    return mediaTimeOf(segments, at) + seekNudgeSeconds
  }

const togglePictureInPicture = (video: HTMLVideoElement) => {
  const isFloating = document.pictureInPictureElement === video
  const done = isFloating ? document.exitPictureInPicture() : video.requestPictureInPicture()
  done.catch(() => undefined)
}

/** `group`: holds live pictures at one delay; null for a single picture. */
export function createMediaController(group: LiveGroup | null = null): MediaController {
  const state = createControllerState()
  const { requested, segmentTimeline } = state
  const progress = createProgressWatch()
  const loopWatch = createLoopWatch()
  const sound = createSound(() => state.attached?.video ?? null)
  const liveEdge = createLiveEdgeController(state.report, group === null ? null : group.join())
  const reversing = createReversing(state)
  const transport = createTransport(state, { sound, liveEdge, reversing })
  const looping = createLooping(state, loopWatch, transport)
  const syncLoop = syncLoopOf(state, transport)
  const startAt = startOf(state, syncLoop)
  const isFollowing = () => syncLoop.reading() !== null
  const loader = createSourceLoader(state, { sound, liveEdge, loopWatch, progress, transport, startAt, isFollowing })
  const isHeld = () => (syncLoop.reading()?.rate ?? 0) > 0
  const watchdog = createWatchdog(state, { liveEdge, progress, transport, loader, isHeld })

  const reportBox = () => {
    const box = state.attached === null ? null : boxOf(state.attached.video)
    if (box !== null) state.report({ type: 'picture.resized', ...box })
  }
  const onEnd = () => state.report({ type: 'engine.ended', at: segmentTimeline.map()?.to ?? 0 })
  const onSought = () => {
    if (!state.isLoaded) return
    state.report({ type: 'engine.sought' })
    // A pause during a seek isn't reported before its end.
    if (!requested.isPlaying && !isFollowing()) state.observe('engine.paused')
  }
  const step = createStepper({
    shown() {
      const { attached, engine, generation } = state
      const at = state.positionAt()
      if (attached === null || engine === null || !state.isLoaded || at === null || requested.source === null)
        return null
      const { video, frames } = attached
      return { video, frames, source: requested.source, at, segments: engine.segments(), generation }
    },
    generation: () => state.generation,
    load(source, at, before) {
      // Where a paused picture is sought again if its frames come later than their segments; not in a gap.
      const startBefore = (moment: number) => Object.assign(requested, { startAt: moment - epsilonSeconds * 1000 })
      requested.source = source
      startBefore(before)
      return loader.load((segments) => {
        if (requested.source === source) startBefore(recordedUpTo(segments, before))
        return at(segments)
      })
    },
    onEnd,
  })

  const detach = (attachment: VideoAttachment) => {
    if (state.attached !== attachment) return
    attachment.release()
    state.beginLoad()
    state.keptAt = null
    state.attached = null
    state.engine = null
    segmentTimeline.forget()
  }

  /** With a shared clock, the clock decides whether the picture plays. */
  const request = (source: Source, options: { isPlaying: boolean; rate: number }, startAt: number | null) => {
    const reading = syncLoop.reading()
    const isPlaying = reading === null ? options.isPlaying : reading.rate > 0
    Object.assign(requested, { source, isPlaying, rate: options.rate, startAt })
    syncLoop.forget()
  }

  return {
    ...createPlaybackStats(state, progress),
    attach(video, still) {
      if (state.attached !== null) detach(state.attached)
      const attachment = attachVideo(video, still, {
        events: {
          playing() {
            reportPressedOutside(state, isFollowing)
            state.observe('engine.played')
          },
          pause() {
            if (video.ended || video.seeking || reversing.isRunning()) return
            reportPressedOutside(state, isFollowing)
            state.observe('engine.paused')
          },
          seeked: onSought,
          ended: () => state.isLoaded && requested.rate >= 0 && !looping.update(true) && onEnd(),
          loadeddata: loader.onFirstFrame,
        },
        onFrame: () => looping.update(false),
        onWatch: watchdog,
        onVisible: transport.returnToLive,
        onResized: reportBox,
        onEngineError: progress.noteFailure,
      })
      state.attached = attachment
      sound.apply()
      const before = state.generation
      reportBox()
      if (requested.source !== null && before === state.generation) void loader.load()
      return () => detach(attachment)
    },
    listen: state.listen,
    load(source, options) {
      request(source, options, null)
      requested.seekTo = null
      state.keptAt = null
      void loader.load()
    },
    change(source, options) {
      const { source: current, startAt } = requested
      // During a seek, a slow browser shows the keyframe before the moment first.
      const at = transport.targetAt()
      const isArchive = source.kind === 'archive' && current?.kind === 'archive'
      // A frame step back may have extended the loaded range.
      const from = isArchive ? Math.min(source.from, current.from) : 0
      request(isArchive ? { ...source, from } : source, options, isArchive ? (at ?? startAt) : null)
      state.keptAt = at
      void loader.load()
    },
    unload() {
      requested.source = null
      state.keptAt = null
      void loader.load()
    },
    play() {
      requested.isPlaying = true
      transport.returnToLive()
      transport.applyPlaying()
    },
    pause: () => transport.setPlaying(false),
    setRate(rate) {
      const isOrWasBackwards = rate < 0 || requested.rate < 0
      requested.rate = rate
      // Before the segments are known, the load applies it.
      if (segmentTimeline.map() === null) return
      transport.applyRate()
      if (isOrWasBackwards) transport.applyPlaying()
    },
    setSound: sound.set,
    follow: syncLoop.set,
    hasSettled: syncLoop.isSettled,
    setLoop(loop) {
      requested.loop = loop
      loopWatch.set(loop)
      if (reversing.isRunning()) reversing.restart(state.attached?.frames.mediaTime() ?? 0)
    },
    seek: transport.seek,
    step(direction) {
      if (state.attached === null || !state.isLoaded) return
      transport.setPlaying(false)
      step(direction)
    },
    togglePictureInPicture() {
      if (state.attached !== null) togglePictureInPicture(state.attached.video)
    },
  }
}
