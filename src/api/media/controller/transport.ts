import type { ControllerState } from './controller-state.ts'
import type { LiveEdgeController, LivePicture } from '../live/live-edge-controller.ts'
import { seekNudgeSeconds } from '../seek-nudge.ts'
import type { Reversing } from './reversing.ts'
import type { Sound } from './sound.ts'

/** Play, pause, rate and seek. */
export interface Transport {
  applyRate(): void
  /**
   * Plays, plays backwards or pauses as requested. If the browser forbids sound, plays muted; if it forbids muted
   * playback too, reports `engine.blocked`.
   */
  applyPlaying(): void
  setPlaying(isPlaying: boolean): void
  /** `at` in epoch milliseconds; ignored outside the source. While the source loads, `applySeek` applies it later. */
  seek(at: number): void
  /** Applies a seek that was requested while the source was loading. */
  applySeek(): void
  /** Epoch milliseconds of the frame on the screen; during a seek, of the frame that it will show. Null without one. */
  targetAt(): number | null
  /** Null if no live source is loaded. */
  livePicture(): LivePicture | null
  /** Jumps to the live edge if playing live is far from it. */
  returnToLive(): void
}

const isNotAllowed = (error: unknown): boolean => error instanceof DOMException && error.name === 'NotAllowedError'

export function createTransport(
  state: ControllerState,
  { sound, liveEdge, reversing }: { sound: Sound; liveEdge: LiveEdgeController; reversing: Reversing },
): Transport {
  const { requested, segmentTimeline } = state
  const playSilenced = (video: HTMLVideoElement) => {
    sound.silence()
    if (state.isLoaded && state.engine?.hasSound() === true) state.report({ type: 'engine.silenced' })
    video.play().catch((error: unknown) => isNotAllowed(error) && state.report({ type: 'engine.blocked' }))
  }
  const applyPlaying = () => {
    const video = state.attached?.video
    if (video === undefined || requested.source === null) return
    if (!requested.isPlaying || requested.rate < 0) video.pause()
    reversing.update()
    // Playing an ended video would play it from its start.
    if (!requested.isPlaying || requested.rate < 0 || video.ended) return
    video.play().catch((error: unknown) => {
      if (!isNotAllowed(error)) return
      if (video.muted) state.report({ type: 'engine.blocked' })
      else playSilenced(video)
    })
  }
  const seek = (at: number) => {
    const map = segmentTimeline.map()
    if (state.attached === null || map === null) {
      requested.seekTo = at
      return
    }
    const media = map.toMedia(at)
    if (media === null) return
    if (reversing.isRunning()) reversing.restart(media)
    else {
      const { video } = state.attached
      // The end has paused it.
      const hadEnded = video.ended
      video.currentTime = media + seekNudgeSeconds
      if (hadEnded) applyPlaying()
    }
  }
  const targetAt = () => {
    const video = state.attached?.video
    const map = segmentTimeline.map()
    if (!state.isLoaded || video?.seeking !== true || map === null) return state.positionAt()
    return Math.round(map.toUtc(video.currentTime - seekNudgeSeconds))
  }
  const livePicture = () => {
    const { attached, engine } = state
    const map = segmentTimeline.map()
    if (attached === null || engine === null || map === null || requested.source?.kind !== 'live') return null
    return { video: attached.video, engine, map, rate: requested.rate }
  }

  return {
    applyRate() {
      liveEdge.restart()
      state.engine?.setRate(requested.rate)
      sound.setRate(requested.rate)
    },
    applyPlaying,
    setPlaying(isPlaying) {
      requested.isPlaying = isPlaying
      applyPlaying()
    },
    seek,
    applySeek() {
      const { seekTo } = requested
      requested.seekTo = null
      if (seekTo !== null) seek(seekTo)
    },
    targetAt,
    livePicture,
    returnToLive() {
      const picture = livePicture()
      if (picture !== null && requested.isPlaying && state.isLoaded) liveEdge.returnToEdge(picture)
    },
  }
}
