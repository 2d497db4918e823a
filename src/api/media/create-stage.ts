import { address, segment } from '../call.ts'
import { engineErrorOf, failureOf, type MediaFailure } from './failure.ts'
import { stepFrame, watchFrames, type FrameWatch } from './frames.ts'
import { mapSegments } from './laid-map.ts'
import { isMutedAt, liveCorrection } from './live-edge.ts'
import { drawFrame, heldAhead, heldBy, pngOf } from './picture.ts'
import { openEngine, type Engine, type LaidSegment } from './shaka-engine.ts'
import type { Source, Stage, StageReport } from './stage.ts'
import type { UtcMap } from './utc-map.ts'

const watchMs = 250
/** Without progress this long the source is given up; sooner where a reason is known. */
const patienceMs = { unknown: 8000, known: 4000 }
/** A rounding of a moment to milliseconds must not show the frame before it. */
const seekNudgeSeconds = 0.002
const keptSegments = 4000

/** Where a stream's playlist lives (spec.md §7); an archive one carries its bounds. */
export function playlistAddress(source: Source): string {
  const path = `/v1/stream/${segment(source.uid)}/archive/index.m3u8`
  if (source.kind === 'live') return address(path)
  return address(path, { start_time: new Date(source.from).toISOString(), end_time: new Date(source.to).toISOString() })
}

interface Attached {
  video: HTMLVideoElement
  still: HTMLCanvasElement
  frames: FrameWatch
  engine: Promise<Engine>
  release: () => void
}

const released = new WeakMap<HTMLVideoElement, Promise<unknown>>()

/** A new player on the same `<video>` before the old one is destroyed would hang for ever (playback.md). */
async function letGo(video: HTMLVideoElement, engine: Promise<Engine>): Promise<void> {
  try {
    await (await engine).destroy()
  } finally {
    video.removeAttribute('src')
    video.load()
  }
}

/** A stage without a `<video>` keeps what was asked of it and starts when one is attached. */
export function createStage(): Stage {
  const listeners = new Set<(report: StageReport) => void>()
  const wish = { source: null as Source | null, isPlaying: false, rate: 1, volume: 1, isMuted: false }
  const now = { generation: 0, isLoaded: false, observed: '' as StageReport['type'] | '', isSilenced: false, isCatchingUp: false }
  const progress = { mediaTime: -1, at: 0, trouble: null as MediaFailure | null, windowAt: 0 }
  const laid = new Map<number, LaidSegment>()
  let map: UtcMap | null = null
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
    if (engine === null || wish.source === null) return
    const segments = engine.segments()
    const last = segments.at(-1)
    if (last === undefined) return
    const known = laid.get(last.media)
    if (map !== null && known !== undefined && known.utc === last.utc && laid.size >= segments.length) return
    for (const one of segments) laid.set(one.media, one)
    if (wish.source.kind === 'live') for (const key of laid.keys()) if (laid.size > keptSegments) laid.delete(key)
    map = mapSegments([...laid.values()].toSorted((a, b) => a.media - b.media), wish.source, Date.now())
  }

  const positionAt = () => {
    const mediaTime = attached?.frames.mediaTime() ?? null
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
    now.isCatchingUp = false
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

  const liveTarget = () => {
    const range = engine?.seekRange()
    return range === undefined ? 0 : range.end
  }
  const toLiveEdge = () => {
    if (attached !== null) attached.video.currentTime = liveTarget()
  }

  const keepStill = () => {
    if (attached === null || positionAt() === null) return
    drawFrame(attached.video, attached.still)
    attached.still.hidden = false
  }

  const onFirstFrame = () => {
    if (now.isLoaded || map === null || attached === null) return
    now.isLoaded = true
    attached.still.hidden = true
    progress.at = performance.now()
    tell({ type: 'engine.loaded', from: map.from, to: map.to })
    if (now.isSilenced && engine?.hasSound() === true) tell({ type: 'engine.silenced' })
    if (!attached.video.paused && attached.video.readyState > 2) observe('engine.played')
    else if (!wish.isPlaying) observe('engine.paused')
  }

  const start = async () => {
    const { source } = wish
    const mine = (now.generation += 1)
    keepStill()
    Object.assign(now, { isLoaded: false, observed: '', isCatchingUp: false })
    Object.assign(progress, { mediaTime: -1, at: performance.now(), trouble: null, windowAt: 0 })
    laid.clear()
    map = null
    attached?.frames.forget()
    try {
      const opened = await attached?.engine
      if (mine !== now.generation || opened === undefined) return
      engine = opened
      if (source === null) return await opened.unload()
      await opened.load(
        playlistAddress(source),
        source.kind === 'live' ? null : (first) => Math.max(0, (source.from - first) / 1000 + seekNudgeSeconds),
      )
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
    if (attached === null || engine === null || wish.source?.kind !== 'live' || map === null) return
    const time = performance.now()
    if (time - progress.windowAt > 1000) {
      progress.windowAt = time
      tell({ type: 'engine.windowMoved', from: map.from, to: map.to })
    }
    if (!isPlaying || document.hidden) return
    const drift = liveTarget() - attached.video.currentTime
    if (wish.rate > 1 && drift < 0.5) return tell({ type: 'engine.edgeReached' })
    if (wish.rate !== 1) return
    const correction = liveCorrection(drift, now.isCatchingUp)
    if (correction.kind === 'jump') toLiveEdge()
    if ((correction.kind === 'rate') !== now.isCatchingUp) {
      now.isCatchingUp = correction.kind === 'rate'
      engine.setRate(correction.kind === 'rate' ? correction.rate : 1)
    }
  }

  const watch = () => {
    if (attached === null || wish.source === null) return
    const { video, frames } = attached
    if (engine !== null && now.observed !== '') refreshMap()
    if (!now.isLoaded && map !== null && frames.mediaTime() !== null) onFirstFrame()
    const isWaiting = (wish.isPlaying && !video.ended) || video.seeking || !now.isLoaded
    const time = performance.now()
    if (!isWaiting || video.currentTime !== progress.mediaTime) {
      if (now.isLoaded && isWaiting && progress.mediaTime !== -1) progress.trouble = null
      Object.assign(progress, { mediaTime: video.currentTime, at: time })
    } else if (now.isLoaded) {
      const idle = time - progress.at
      if (idle > 400 && !video.seeking) observe('engine.stalled')
      if (idle > (progress.trouble === null ? patienceMs.unknown : patienceMs.known)) return fail(progress.trouble ?? 'stalled')
    } else if (map !== null && time - progress.at > patienceMs.unknown) return fail(progress.trouble ?? 'stalled')
    watchLive(!video.paused && now.isLoaded)
  }

  const onVisible = () => {
    if (!document.hidden && wish.source?.kind === 'live' && wish.isPlaying && now.isLoaded && liveTarget() - (attached?.video.currentTime ?? 0) > 2) toLiveEdge()
  }

  return {
    attach(video, still) {
      // Whoever listens to a video's remote playback, as shaka does, keeps the element alive for ever in Chromium.
      Object.defineProperty(video, 'remote', { configurable: true, value: undefined })
      const handlers: [string, () => void][] = [
        ['playing', () => observe('engine.played')],
        ['pause', () => !video.ended && !video.seeking && observe('engine.paused')],
        ['seeked', () => now.isLoaded && tell({ type: 'engine.sought' })],
        ['ended', () => now.isLoaded && tell({ type: 'engine.ended', at: map?.to ?? 0 })],
        ['loadeddata', () => onFirstFrame()],
        ['emptied', () => attached?.frames.forget()],
      ]
      for (const [type, handler] of handlers) video.addEventListener(type, handler)
      document.addEventListener('visibilitychange', onVisible)
      const timer = setInterval(watch, watchMs)
      const opening = (released.get(video) ?? Promise.resolve()).catch(() => undefined).then(() =>
        openEngine(video, (error) => {
          progress.trouble = failureOf(error) ?? progress.trouble
        }),
      )
      const frames = watchFrames(video)
      const release = () => {
        for (const [type, handler] of handlers) video.removeEventListener(type, handler)
        document.removeEventListener('visibilitychange', onVisible)
        clearInterval(timer)
        frames.stop()
        released.set(video, letGo(video, opening))
        if (attached?.video !== video) return
        Object.assign(now, { generation: now.generation + 1, isLoaded: false, observed: '' })
        attached = null
        engine = null
        map = null
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
      Object.assign(wish, { source, isPlaying, rate })
      void start()
    },
    unload() {
      wish.source = null
      void start()
    },
    play() {
      wish.isPlaying = true
      if (wish.source?.kind === 'live' && now.isLoaded && liveTarget() - (attached?.video.currentTime ?? 0) > 2) toLiveEdge()
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
    seek(at) {
      const media = map?.toMedia(at) ?? null
      if (attached !== null && media !== null) attached.video.currentTime = media + seekNudgeSeconds
    },
    step(direction) {
      if (attached === null || !now.isLoaded) return
      wish.isPlaying = false
      attached.video.pause()
      void stepFrame(attached.video, attached.frames, direction)
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
        lastFailure: progress.trouble,
      }
    },
    positionAt,
    buffered() {
      const here = map
      if (attached === null || here === null) return []
      return heldBy(attached.video).map(({ from, to }) => ({ from: here.toUtc(from), to: here.toUtc(to) }))
    },
  }
}
