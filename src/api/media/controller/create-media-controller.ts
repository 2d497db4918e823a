import { createControllerState, type ControllerState } from './controller-state.ts'
import type { StartAt } from '../engine/engine.ts'
import { createLiveEdgeController } from '../live/live-edge-controller.ts'
import type { LiveGroup } from '../live/live-group.ts'
import { createLoopWatch } from './loop.ts'
import { createLooping } from './looping.ts'
import type { MediaController, Source } from './media-controller.ts'
import { boxOf } from './picture-box.ts'
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

/** The time from a load to its first frame; a running clock has moved on by about this much. */
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

/**
 * The moment at which to start an archive: where the shared clock will be once it is loaded; without a clock the sought
 * moment, or the beginning.
 */
const startOf =
  (state: ControllerState, syncLoop: SyncLoop): StartAt =>
  (segments) => {
    const { source, seekTo, startAt } = state.requested
    if (source?.kind !== 'archive') return 0
    const reading = syncLoop.reading()
    const at = reading === null ? (seekTo ?? startAt ?? source.from) : reading.at + loadingMs * reading.rate
    return mediaTimeOf(segments, at) + seekNudgeSeconds
  }

const togglePictureInPicture = (video: HTMLVideoElement) => {
  const isFloating = document.pictureInPictureElement === video
  const done = isFloating ? document.exitPictureInPicture() : video.requestPictureInPicture()
  done.catch(() => undefined)
}

/** With a group, live pictures are kept at one delay. */
export function createMediaController(group: LiveGroup | null = null): MediaController {
  const state = createControllerState()
  const { requested, segmentTimeline } = state
  const progress = createProgressWatch()
  const loopWatch = createLoopWatch()
  const sound = createSound(() => state.attached?.video ?? null)
  const liveEdge = createLiveEdgeController(state.report, group === null ? null : group.join())
  const transport = createTransport(state, sound, liveEdge)
  const looping = createLooping(state, loopWatch, transport)
  const syncLoop = syncLoopOf(state, transport)
  const startAt = startOf(state, syncLoop)
  const loader = createSourceLoader(state, { sound, liveEdge, loopWatch, progress, transport, startAt })
  const watchdog = createWatchdog(state, { liveEdge, progress, transport, loader })

  const reportBox = () => {
    const box = state.attached === null ? null : boxOf(state.attached.video)
    if (box !== null) state.report({ type: 'picture.resized', ...box })
  }
  const onEnd = () => state.report({ type: 'engine.ended', at: segmentTimeline.map()?.to ?? 0 })
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
    state.keptAt = null
    state.attached = null
    state.engine = null
    segmentTimeline.forget()
  }

  /** A picture that follows a clock plays when the clock runs. */
  const request = (source: Source, wished: { isPlaying: boolean; rate: number }, startAt: number | null) => {
    const reading = syncLoop.reading()
    const isPlaying = reading === null ? wished.isPlaying : reading.rate > 0
    Object.assign(requested, { source, isPlaying, rate: wished.rate, startAt })
    syncLoop.forget()
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
        onBox: reportBox,
        onEngineError: progress.complain,
      })
      state.attached = mine
      sound.apply()
      const before = state.generation
      reportBox()
      if (requested.source !== null && before === state.generation) void loader.load()
      return () => detach(mine)
    },
    listen: state.listen,
    load(source, wished) {
      request(source, wished, null)
      requested.seekTo = null
      state.keptAt = null
      void loader.load()
    },
    change(source, wished) {
      const { source: held, startAt } = requested
      const at = state.positionAt()
      const isArchive = source.kind === 'archive' && held?.kind === 'archive'
      // A step back may have extended the loaded range.
      const from = isArchive ? Math.min(source.from, held.from) : 0
      request(isArchive ? { ...source, from } : source, wished, isArchive ? (at ?? startAt) : null)
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
