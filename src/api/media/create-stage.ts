import { engineErrorOf, failureOf, type MediaFailure } from './failure.ts'
import { createFollower } from './follow.ts'
import { hairSeconds, stepFrame, watchFrames, type FrameWatch } from './frames.ts'
import { createMapKeeper } from './laid-map.ts'
import { isMutedAt } from './live-edge.ts'
import { createLiveWatch } from './live-watch.ts'
import { createLoopWatch, type Loop } from './loop.ts'
import type { Beat } from './metronome.ts'
import { drawFrame, heldAhead, heldBy, pngOf } from './picture.ts'
import { playlistAddress } from './playlist-address.ts'
import { mediaTimeOf } from './playlist.ts'
import { createProgressWatch } from './progress.ts'
import { letGo, released } from './release.ts'
import { openEngine, type Engine, type StartAt } from './shaka-engine.ts'
import type { Source, Stage, StageReport } from './stage.ts'

const watchMs = 250
/** So many frame steps wait for the one under way. */
const mostSteps = 3
/** How far before its start a source is widened for the frame before it: where that is still a gap, farther. */
const leadsMs = [10_000, 3_600_000]
/** A rounding of a moment to milliseconds must not show the frame before it. */
const seekNudgeSeconds = 0.002
/** Whoever comes back to live, or to playing it, goes to its edge from farther than this, seconds. */
const edgeSlackSeconds = 2
/** A running clock has moved on by about this much when the first frame of a source comes on. */
const loadingMs = 300

interface Attached {
  video: HTMLVideoElement
  still: HTMLCanvasElement
  frames: FrameWatch
  engine: Promise<Engine>
  release: () => void
}

/** A stage without a `<video>` keeps what was asked of it and starts when one is attached. */
export function createStage(): Stage {
  const listeners = new Set<(report: StageReport) => void>()
  const wish = { source: null as Source | null, isPlaying: false, rate: 1, volume: 1, isMuted: false, loop: null as Loop | null, clock: null as (() => Beat) | null }
  const now = { generation: 0, isLoaded: false, observed: '' as StageReport['type'] | '', isSilenced: false }
  const progress = createProgressWatch()
  const liveWatch = createLiveWatch()
  const loopWatch = createLoopWatch()
  const keeper = createMapKeeper()
  let attached: Attached | null = null
  let engine: Engine | null = null

  const tell = (report: StageReport) => {
    for (const listener of listeners) listener(report)
  }
  const observe = (type: 'engine.played' | 'engine.paused' | 'engine.stalled') => {
    if (!now.isLoaded || now.observed === type) return
    now.observed = type
    tell({ type })
  }

  const refreshMap = () => {
    if (engine !== null && wish.source !== null) keeper.refresh(engine.segments(), wish.source, Date.now())
  }

  const positionAt = () => {
    const mediaTime = attached?.frames.mediaTime() ?? null
    const map = keeper.map()
    return mediaTime === null || map === null || !now.isLoaded ? null : Math.round(map.toUtc(mediaTime))
  }

  const fail = (failure: MediaFailure) => {
    const at = positionAt()
    now.generation += 1
    now.isLoaded = false
    now.observed = ''
    tell({ type: 'engine.failed', failure, at })
  }

  const applySound = () => {
    if (attached === null) return
    attached.video.volume = wish.volume
    attached.video.muted = wish.isMuted || now.isSilenced || isMutedAt(wish.rate)
  }
  const applyRate = () => {
    liveWatch.restart()
    engine?.setRate(wish.rate)
    applySound()
  }

  const applyPlaying = () => {
    const video = attached?.video
    if (video === undefined || wish.source === null) return
    if (!wish.isPlaying) return video.pause()
    video.play().catch((error: unknown) => {
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError' || video.muted) return
      now.isSilenced = true
      applySound()
      if (now.isLoaded && engine?.hasSound() === true) tell({ type: 'engine.silenced' })
      video.play().catch(() => undefined)
    })
  }

  const drift = () => (engine?.seekRange().end ?? 0) - (attached?.video.currentTime ?? 0)
  const toLiveEdge = () => {
    if (attached !== null && engine !== null) attached.video.currentTime = engine.seekRange().end
  }
  const returnToLive = () => {
    if (wish.source?.kind === 'live' && wish.isPlaying && now.isLoaded && drift() > edgeSlackSeconds) toLiveEdge()
  }

  const seek = (at: number) => {
    const media = keeper.map()?.toMedia(at) ?? null
    if (attached !== null && media !== null) attached.video.currentTime = media + seekNudgeSeconds
  }

  /** Answers whether the loop has turned, or somebody was told that it can't. */
  const watchLoop = (hasEnded: boolean): boolean => {
    const [at, frame, loaded] = [positionAt(), attached?.frames.mediaTime() ?? null, keeper.map()]
    if (at === null || frame === null || loaded === null || !wish.isPlaying || attached?.video.seeking === true) return false
    const { turn, from } = loopWatch.look({ frame, at, loaded, hasEnded })
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
    const map = keeper.map()
    if (now.isLoaded || map === null || attached === null) return
    now.isLoaded = true
    attached.still.hidden = true
    progress.arrive(performance.now())
    tell({ type: 'engine.loaded', from: map.from, to: map.to })
    if (now.isSilenced && engine?.hasSound() === true) tell({ type: 'engine.silenced' })
    if (!attached.video.paused && attached.video.readyState > 2) observe('engine.played')
    else if (!wish.isPlaying) observe('engine.paused')
  }

  const begin: StartAt = (segments) => {
    if (wish.source?.kind !== 'archive') return 0
    const beat = wish.clock?.() ?? null
    return mediaTimeOf(segments, beat === null ? wish.source.from : beat.at + loadingMs * beat.rate) + seekNudgeSeconds
  }

  const follower = createFollower({
    video: () => (now.isLoaded ? (attached?.video ?? null) : null),
    map: keeper.map,
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
  let following = 0
  const followOn = () => {
    const { clock } = wish
    if (clock === null) return
    follower.look(clock(), performance.now())
    following = requestAnimationFrame(followOn)
  }

  const start = async (startAt = begin) => {
    const { source } = wish
    const mine = (now.generation += 1)
    keepStill()
    Object.assign(now, { isLoaded: false, observed: '' })
    progress.restart(performance.now())
    liveWatch.restart()
    loopWatch.set(wish.loop)
    keeper.forget()
    attached?.frames.forget()
    try {
      const opened = await attached?.engine
      if (mine !== now.generation || opened === undefined) return
      engine = opened
      if (source === null) return await opened.unload()
      await opened.load(playlistAddress(source), source.kind === 'live' ? null : startAt)
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

  const watchLive = (isPlaying: boolean) => {
    const map = keeper.map()
    if (engine === null || wish.source?.kind !== 'live' || map === null) return
    if (liveWatch.isTellingDue(performance.now())) tell({ type: 'engine.windowMoved', from: map.from, to: map.to })
    if (!isPlaying || document.hidden) return
    const move = liveWatch.look(drift(), wish.rate)
    if (move.kind === 'reached') tell({ type: 'engine.edgeReached' })
    else if (move.kind === 'rate') engine.setRate(move.rate)
    else if (move.kind === 'jump') {
      engine.setRate(1)
      toLiveEdge()
    }
  }

  const watch = () => {
    if (attached === null || wish.source === null) return
    const { video, frames } = attached
    if (engine !== null && now.observed !== '') refreshMap()
    if (!now.isLoaded && keeper.map() !== null && frames.mediaTime() !== null) onFirstFrame()
    const verdict = progress.look({
      time: performance.now(),
      playhead: video.currentTime,
      isWaiting: (wish.isPlaying && !video.ended) || video.seeking || !now.isLoaded,
      isSeeking: video.seeking,
      isLoaded: now.isLoaded,
      hasPlaylist: keeper.map() !== null,
    })
    if (verdict === 'stalled') observe('engine.stalled')
    else if (verdict !== 'fine') return fail(verdict.failure)
    watchLive(!video.paused && now.isLoaded)
  }

  /** Loads what lies before the source too, to stop at the frame before `at`, its first one. */
  const stepBefore = async (at: number, [lead, ...farther] = leadsMs) => {
    const { source } = wish
    if (lead === undefined || source?.kind !== 'archive') return
    let isFound = false
    wish.source = { ...source, from: at - lead }
    const loading = start((segments) => {
      const here = mediaTimeOf(segments, at)
      isFound = here > hairSeconds
      return Math.max(0, here - hairSeconds)
    })
    const mine = now.generation
    await loading
    if (!isFound && mine === now.generation) await stepBefore(at, farther)
  }

  /** One after the other, each from the frame that the one before it led to; a key held down doesn't run on after it. */
  const steps = { last: Promise.resolve(), pending: 0 }

  const step = async (direction: 1 | -1) => {
    const [map, at, segments] = [keeper.map(), positionAt(), engine?.segments() ?? []]
    const [first, last] = [segments[0], segments.at(-1)]
    if (attached === null || map === null || at === null || first === undefined || last === undefined) return
    const mine = now.generation
    const isLive = wish.source?.kind === 'live'
    const end = isLive ? attached.video.currentTime + heldAhead(attached.video) : last.media + last.duration
    const outcome = await stepFrame(attached.video, attached.frames, direction, { start: first.media, end })
    if (mine !== now.generation || isLive) return
    if (outcome === 'end') tell({ type: 'engine.ended', at: map.to })
    if (outcome === 'start') await stepBefore(at)
  }

  const onVisible = () => {
    if (!document.hidden) returnToLive()
  }

  const onEnded = () => {
    if (now.isLoaded && !watchLoop(true)) tell({ type: 'engine.ended', at: keeper.map()?.to ?? 0 })
  }

  return {
    attach(video, still) {
      // Whoever listens to a video's remote playback, as shaka does, keeps the element alive for ever in Chromium.
      Object.defineProperty(video, 'remote', { configurable: true, value: undefined })
      const handlers: [string, () => void][] = [
        ['playing', () => observe('engine.played')],
        ['pause', () => !video.ended && !video.seeking && observe('engine.paused')],
        ['seeked', () => now.isLoaded && tell({ type: 'engine.sought' })],
        ['ended', onEnded],
        ['loadeddata', () => onFirstFrame()],
        ['emptied', () => attached?.frames.forget()],
      ]
      for (const [type, handler] of handlers) video.addEventListener(type, handler)
      document.addEventListener('visibilitychange', onVisible)
      const timer = setInterval(watch, watchMs)
      const opening = released(video).then(() =>
        openEngine(video, (error) => {
          progress.complain(failureOf(error))
        }),
      )
      const frames = watchFrames(video, () => watchLoop(false))
      const release = () => {
        for (const [type, handler] of handlers) video.removeEventListener(type, handler)
        document.removeEventListener('visibilitychange', onVisible)
        clearInterval(timer)
        frames.stop()
        letGo(video, opening)
        if (attached?.video !== video) return
        Object.assign(now, { generation: now.generation + 1, isLoaded: false, observed: '' })
        attached = null
        engine = null
        keeper.forget()
      }
      attached?.release()
      attached = { video, still, frames, engine: opening, release }
      applySound()
      if (wish.source !== null) void start()
      else opening.catch(() => undefined)
      return release
    },
    listen(report) {
      listeners.add(report)
      return () => listeners.delete(report)
    },
    load(source, { isPlaying, rate }) {
      const beat = wish.clock?.() ?? null
      Object.assign(wish, { source, isPlaying: beat === null ? isPlaying : beat.rate > 0, rate })
      follower.forget()
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
    setSound({ volume, isMuted }) {
      Object.assign(wish, { volume, isMuted })
      if (!isMuted) now.isSilenced = false
      applySound()
    },
    follow(clock) {
      wish.clock = clock
      cancelAnimationFrame(following)
      follower.forget()
      if (clock !== null) followOn()
    },
    hasSettled: () => wish.clock !== null && follower.isSettled(wish.clock()),
    setLoop(loop) {
      wish.loop = loop
      loopWatch.set(loop)
    },
    seek,
    step(direction) {
      if (attached === null || !now.isLoaded) return
      wish.isPlaying = false
      attached.video.pause()
      if (steps.pending >= mostSteps) return
      steps.pending += 1
      steps.last = steps.last
        .then(() => step(direction))
        .catch(() => undefined)
        .finally(() => (steps.pending -= 1))
    },
    float() {
      const video = attached?.video
      if (video === undefined) return
      const done = document.pictureInPictureElement === video ? document.exitPictureInPicture() : video.requestPictureInPicture()
      done.catch(() => undefined)
    },
    async snapshot() {
      if (attached === null || positionAt() === null) return null
      return pngOf(attached.video)
    },
    figures() {
      if (engine === null || attached === null || !now.isLoaded) return null
      const position = positionAt()
      return {
        ...engine.figures(),
        bufferedSeconds: heldAhead(attached.video),
        latencySeconds: wish.source?.kind === 'live' && position !== null ? (Date.now() - position) / 1000 : null,
        lastFailure: progress.trouble(),
      }
    },
    positionAt,
    buffered() {
      const here = keeper.map()
      if (attached === null || here === null) return []
      return heldBy(attached.video).map(({ from, to }) => ({ from: here.toUtc(from), to: here.toUtc(to) }))
    },
  }
}
