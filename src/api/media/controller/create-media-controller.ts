import { createControllerState, type ControllerState } from './controller-state.ts'
import type { StartAt } from '../engine/engine.ts'
import { createLiveEdgeController } from '../live/live-edge-controller.ts'
import { createLoopWatch } from './loop.ts'
import { createLooping } from './looping.ts'
import type { MediaController } from './media-controller.ts'
import { createPlaybackStats } from './playback-stats.ts'
import { mediaTimeOf } from '../playlist/playlist.ts'
import { createProgressWatch } from './progress.ts'
import { createSound } from './sound.ts'
import { createSourceLoader } from './source-loader.ts'
import { createStepper } from './stepping.ts'
import { createSyncLoop, type SyncLoop } from '../sync/sync-loop.ts'
import { createTransport, seekNudgeSeconds, type Transport } from './transport.ts'
import { attachVideo, type VideoAttachment } from './video-attachment.ts'
import { createWatchdog } from './watchdog.ts'

/** A running clock has moved on by about this much when the first frame of a source is there. */
const loadingMs = 300

const syncLoopOf = (state: ControllerState, transport: Transport): SyncLoop =>
  createSyncLoop({
    video: () => (state.isLoaded ? (state.attached?.video ?? null) : null),
    map: state.segmentTimeline.map,
    play: () => transport.setPlaying(true),
    hold: () => transport.setPlaying(false),
    setRate(rate) {
      state.requested.rate = rate
      transport.applyRate()
    },
  })

/** Where the shared clock will be when the archive is loaded; without one, the moment sought, or the first. */
const startOf =
  (state: ControllerState, syncLoop: SyncLoop): StartAt =>
  (segments) => {
    const { source, seekTo } = state.requested
    if (source?.kind !== 'archive') return 0
    const reading = syncLoop.reading()
    const at = reading === null ? (seekTo ?? source.from) : reading.at + loadingMs * reading.rate
    return mediaTimeOf(segments, at) + seekNudgeSeconds
  }

const togglePictureInPicture = (video: HTMLVideoElement) => {
  const isFloating = document.pictureInPictureElement === video
  const done = isFloating ? document.exitPictureInPicture() : video.requestPictureInPicture()
  done.catch(() => undefined)
}

/** A media controller without a `<video>` keeps what was requested and starts when one is attached. */
export function createMediaController(): MediaController {
  const state = createControllerState()
  const { requested, segmentTimeline } = state
  const progress = createProgressWatch()
  const loopWatch = createLoopWatch()
  const sound = createSound(() => state.attached?.video ?? null)
  const liveEdge = createLiveEdgeController(state.report)
  const transport = createTransport(state, sound, liveEdge)
  const looping = createLooping(state, loopWatch, transport)
  const syncLoop = syncLoopOf(state, transport)
  const startAt = startOf(state, syncLoop)
  const loader = createSourceLoader(state, { sound, liveEdge, loopWatch, progress, transport, startAt })
  const watchdog = createWatchdog(state, { liveEdge, progress, transport, loader })

  const onEnd = () => state.report({ type: 'engine.ended', at: segmentTimeline.map()?.to ?? 0 })
  const step = createStepper({
    shown() {
      const { attached, engine, generation } = state
      const at = state.positionAt()
      if (attached === null || engine === null || at === null || requested.source === null) return null
      const { video, frames } = attached
      return { video, frames, source: requested.source, at, segments: engine.segments(), generation }
    },
    generation: () => state.generation,
    load(source, at) {
      requested.source = source
      return loader.load(at)
    },
    onEnd,
  })

  const detach = (mine: VideoAttachment) => {
    if (state.attached !== mine) return
    mine.release()
    state.renew()
    state.attached = null
    state.engine = null
    segmentTimeline.forget()
  }

  return {
    ...createPlaybackStats(state, progress),
    attach(video, still) {
      if (state.attached !== null) detach(state.attached)
      const mine = attachVideo(video, still, {
        events: {
          playing: () => state.observe('engine.played'),
          pause: () => !video.ended && !video.seeking && state.observe('engine.paused'),
          seeked: () => state.isLoaded && state.report({ type: 'engine.sought' }),
          ended: () => state.isLoaded && !looping.update(true) && onEnd(),
          loadeddata: loader.onFirstFrame,
        },
        onFrame: () => looping.update(false),
        onWatch: watchdog,
        onVisible: transport.returnToLive,
        onTrouble: progress.complain,
      })
      state.attached = mine
      sound.apply()
      if (requested.source !== null) void loader.load()
      return () => detach(mine)
    },
    listen: state.listen,
    load(source, { isPlaying, rate }) {
      const reading = syncLoop.reading()
      Object.assign(requested, {
        source,
        isPlaying: reading === null ? isPlaying : reading.rate > 0,
        rate,
        seekTo: null,
      })
      syncLoop.forget()
      void loader.load()
    },
    unload() {
      requested.source = null
      void loader.load()
    },
    play() {
      requested.isPlaying = true
      transport.returnToLive()
      transport.applyPlaying()
    },
    pause: () => transport.setPlaying(false),
    setRate(rate) {
      requested.rate = rate
      if (state.isLoaded) transport.applyRate()
    },
    setSound: sound.set,
    follow: syncLoop.set,
    hasSettled: syncLoop.isSettled,
    setLoop(loop) {
      requested.loop = loop
      loopWatch.set(loop)
    },
    seek: transport.seek,
    step(direction) {
      if (state.attached === null || !state.isLoaded) return
      requested.isPlaying = false
      state.attached.video.pause()
      step(direction)
    },
    float() {
      if (state.attached !== null) togglePictureInPicture(state.attached.video)
    },
  }
}
