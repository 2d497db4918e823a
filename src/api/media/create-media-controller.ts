import { attachVideo, type VideoAttachment } from './video-attachment.ts'
import { engineErrorOf, failureOf, type MediaFailure } from './failure.ts'
import { createSyncLoop } from './sync-loop.ts'
import { createSegmentTimeline } from './segment-timeline.ts'
import { createLiveEdgeController } from './live-edge-controller.ts'
import { createLoopWatch, type Loop } from './loop.ts'
import { createHeadWatch, keepHeads } from './media-source-faults.ts'
import { drawFrame } from './picture.ts'
import { playlistAddress } from './playlist-address.ts'
import { mediaTimeOf } from './playlist.ts'
import { createProgressWatch } from './progress.ts'
import { createPlaybackStats } from './playback-stats.ts'
import type { Engine, StartAt } from './engine.ts'
import { createSound } from './sound.ts'
import type { Source, MediaController, ControllerReport } from './media-controller.ts'
import { createStepper } from './stepping.ts'

/** A rounding of a moment to milliseconds must not show the frame before it. */
const seekNudgeSeconds = 0.002
/** A running clock has moved on by about this much when the first frame of a source comes on. */
const loadingMs = 300

const isNotAllowed = (error: unknown): boolean => error instanceof DOMException && error.name === 'NotAllowedError'

/** A media controller without a `<video>` keeps what was asked of it and starts when one is attached. */
export function createMediaController(): MediaController {
  const listeners = new Set<(report: ControllerReport) => void>()
  const wish = { source: null as Source | null, isPlaying: false, rate: 1, loop: null as Loop | null }
  const now = { generation: 0, isLoaded: false, observed: '' as ControllerReport['type'] | '' }
  const progress = createProgressWatch()
  const loopWatch = createLoopWatch()
  const segmentTimeline = createSegmentTimeline()
  const heads = createHeadWatch()
  let attached: VideoAttachment | null = null
  let engine: Engine | null = null
  const sound = createSound(() => attached?.video ?? null)
  const playbackStats = createPlaybackStats(() => ({
    attached,
    engine,
    map: segmentTimeline.map(),
    isLoaded: now.isLoaded,
    isLive: wish.source?.kind === 'live',
    trouble: progress.trouble(),
  }))
  const { positionAt } = playbackStats

  const tell = (report: ControllerReport) => {
    for (const listener of listeners) listener(report)
  }
  const liveEdge = createLiveEdgeController(tell)
  const observe = (type: 'engine.played' | 'engine.paused' | 'engine.stalled') => {
    if (!now.isLoaded || now.observed === type) return
    now.observed = type
    tell({ type })
  }

  const refreshMap = () => {
    if (engine === null || wish.source === null) return
    const before = segmentTimeline.map()
    segmentTimeline.refresh(engine.segments(), wish.source, Date.now())
    const map = segmentTimeline.map()
    if (wish.source.kind === 'archive' && before !== null && map !== null && map.to > before.to)
      tell({ type: 'engine.windowMoved', from: map.from, to: map.to })
  }

  const fail = (failure: MediaFailure) => {
    const at = positionAt()
    now.generation += 1
    now.isLoaded = false
    now.observed = ''
    tell({ type: 'engine.failed', failure, at, ...(failure === 'codec' && { codec: engine?.refusedCodec() ?? null }) })
  }

  const applyRate = () => {
    liveEdge.restart()
    engine?.setRate(wish.rate)
    sound.setRate(wish.rate)
  }

  const applyPlaying = () => {
    const video = attached?.video
    if (video === undefined || wish.source === null) return
    if (!wish.isPlaying) return video.pause()
    video.play().catch((error: unknown) => {
      if (!isNotAllowed(error)) return
      if (video.muted) return tell({ type: 'engine.blocked' })
      sound.silence()
      if (now.isLoaded && engine?.hasSound() === true) tell({ type: 'engine.silenced' })
      video.play().catch((again: unknown) => isNotAllowed(again) && tell({ type: 'engine.blocked' }))
    })
  }

  const livePicture = () => {
    const map = segmentTimeline.map()
    if (attached === null || engine === null || map === null || wish.source?.kind !== 'live') return null
    return { video: attached.video, engine, map, rate: wish.rate }
  }
  const returnToLive = () => {
    const picture = livePicture()
    if (picture !== null && wish.isPlaying && now.isLoaded) liveEdge.returnToEdge(picture)
  }

  const seek = (at: number) => {
    const media = segmentTimeline.map()?.toMedia(at) ?? null
    if (attached !== null && media !== null) attached.video.currentTime = media + seekNudgeSeconds
  }

  /** Answers whether the loop has turned, or somebody was told that it can't. */
  const watchLoop = (hasEnded: boolean): boolean => {
    if (wish.loop === null) return false
    const [at, frame, loaded] = [positionAt(), attached?.frames.mediaTime() ?? null, segmentTimeline.map()]
    if (at === null || frame === null || loaded === null || !wish.isPlaying || attached?.video.seeking === true)
      return false
    const { turn, from } = loopWatch.update({ frame, at, loaded, hasEnded })
    if (turn === 'away') tell({ type: 'engine.loopEnded' })
    if (turn === 'back') seek(from)
    if (turn === 'back' && hasEnded) applyPlaying()
    return turn !== 'none'
  }

  const keepStill = () => {
    if (attached === null || positionAt() === null) return
    drawFrame(attached.video, attached.still)
    attached.still.hidden = false
  }

  const onFirstFrame = () => {
    const map = segmentTimeline.map()
    if (now.isLoaded || map === null || attached === null) return
    now.isLoaded = true
    attached.still.hidden = true
    progress.arrive(performance.now())
    tell({ type: 'engine.loaded', from: map.from, to: map.to })
    if (sound.isSilenced() && engine?.hasSound() === true) tell({ type: 'engine.silenced' })
    if (!attached.video.paused && attached.video.readyState > 2) observe('engine.played')
    else if (!wish.isPlaying) observe('engine.paused')
  }

  const begin: StartAt = (segments) => {
    if (wish.source?.kind !== 'archive') return 0
    const reading = syncLoop.reading()
    return (
      mediaTimeOf(segments, reading === null ? wish.source.from : reading.at + loadingMs * reading.rate) +
      seekNudgeSeconds
    )
  }

  const syncLoop = createSyncLoop({
    video: () => (now.isLoaded ? (attached?.video ?? null) : null),
    map: segmentTimeline.map,
    play() {
      wish.isPlaying = true
      applyPlaying()
    },
    hold() {
      wish.isPlaying = false
      applyPlaying()
    },
    setRate(rate) {
      wish.rate = rate
      applyRate()
    },
  })

  const start = async (startAt = begin) => {
    const { source } = wish
    const mine = (now.generation += 1)
    keepStill()
    Object.assign(now, { isLoaded: false, observed: '' })
    progress.restart(performance.now())
    liveEdge.restart()
    loopWatch.set(wish.loop)
    segmentTimeline.forget()
    attached?.frames.forget()
    try {
      const opened = await attached?.engine
      if (mine !== now.generation || opened === undefined) return
      engine = opened
      if (source === null) return await opened.unload()
      const isLive = source.kind === 'live'
      await opened.load(playlistAddress(source), {
        startAt: isLive ? null : startAt,
        growsUntil: isLive || source.to <= Date.now() ? null : source.to,
      })
      if (mine !== now.generation) return
      refreshMap()
      applyRate()
      applyPlaying()
      if (attached?.frames.mediaTime() !== null) onFirstFrame()
    } catch (error) {
      const failure = failureOf(engineErrorOf(error))
      if (mine === now.generation && failure !== null) fail(failure)
    }
  }

  const watch = () => {
    if (attached === null || wish.source === null) return
    const { video, frames } = attached
    if (engine !== null && now.observed !== '') refreshMap()
    if (!now.isLoaded && segmentTimeline.map() !== null && frames.mediaTime() !== null) onFirstFrame()
    const verdict = progress.update({
      time: performance.now(),
      playhead: video.currentTime,
      isWaiting: (wish.isPlaying && !video.ended) || video.seeking || !now.isLoaded,
      isSeeking: video.seeking,
      isLoaded: now.isLoaded,
      hasPlaylist: segmentTimeline.map() !== null,
    })
    if (engine !== null && heads.losesHeads(video, engine.segmentsLoaded(), performance.now())) {
      keepHeads()
      return void start()
    }
    if (verdict === 'stalled') observe('engine.stalled')
    else if (verdict !== 'fine') return fail(verdict.failure)
    // A seek to the same position draws its frame.
    if (now.isLoaded && attached.stalePicture.isStale(video, frames.mediaTime())) video.currentTime += 0
    const picture = livePicture()
    if (picture !== null && now.isLoaded) liveEdge.update(picture)
  }

  const step = createStepper({
    shown() {
      const [at, { source }] = [positionAt(), wish]
      if (attached === null || engine === null || at === null || source === null) return null
      return {
        video: attached.video,
        frames: attached.frames,
        source,
        at,
        segments: engine.segments(),
        generation: now.generation,
      }
    },
    generation: () => now.generation,
    load(source, startAt) {
      wish.source = source
      return start(startAt)
    },
    onEnd: () => tell({ type: 'engine.ended', at: segmentTimeline.map()?.to ?? 0 }),
  })

  const onEnded = () => {
    if (now.isLoaded && !watchLoop(true)) tell({ type: 'engine.ended', at: segmentTimeline.map()?.to ?? 0 })
  }

  const detach = (mine: VideoAttachment) => {
    if (attached !== mine) return
    mine.release()
    Object.assign(now, { generation: now.generation + 1, isLoaded: false, observed: '' })
    attached = null
    engine = null
    segmentTimeline.forget()
  }

  return {
    ...playbackStats,
    attach(video, still) {
      if (attached !== null) detach(attached)
      const mine = attachVideo(video, still, {
        events: {
          playing: () => observe('engine.played'),
          pause: () => !video.ended && !video.seeking && observe('engine.paused'),
          seeked: () => now.isLoaded && tell({ type: 'engine.sought' }),
          ended: onEnded,
          loadeddata: onFirstFrame,
        },
        onFrame: () => watchLoop(false),
        onWatch: watch,
        onVisible: returnToLive,
        onTrouble: progress.complain,
      })
      attached = mine
      sound.apply()
      if (wish.source !== null) void start()
      return () => detach(mine)
    },
    listen(report) {
      listeners.add(report)
      return () => listeners.delete(report)
    },
    load(source, { isPlaying, rate }) {
      const reading = syncLoop.reading()
      Object.assign(wish, { source, isPlaying: reading === null ? isPlaying : reading.rate > 0, rate })
      syncLoop.forget()
      void start()
    },
    unload() {
      wish.source = null
      void start()
    },
    play() {
      wish.isPlaying = true
      returnToLive()
      applyPlaying()
    },
    pause() {
      wish.isPlaying = false
      applyPlaying()
    },
    setRate(rate) {
      wish.rate = rate
      if (now.isLoaded) applyRate()
    },
    setSound: sound.set,
    follow: syncLoop.set,
    hasSettled: syncLoop.isSettled,
    setLoop(loop) {
      wish.loop = loop
      loopWatch.set(loop)
    },
    seek,
    step(direction) {
      if (attached === null || !now.isLoaded) return
      wish.isPlaying = false
      attached.video.pause()
      step(direction)
    },
    float() {
      const video = attached?.video
      if (video === undefined) return
      const done =
        document.pictureInPictureElement === video ? document.exitPictureInPicture() : video.requestPictureInPicture()
      done.catch(() => undefined)
    },
  }
}
