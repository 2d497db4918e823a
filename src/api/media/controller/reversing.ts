import type { ControllerState } from './controller-state.ts'
import type { VideoAttachment } from './video-attachment.ts'

/** Backward playback of the archive. As no browser plays backwards, the paused picture seeks to each keyframe. */
export interface Reversing {
  /** Plays backwards if that is requested of the loaded source, and ends it otherwise. */
  update(): void
  /** Goes on from another position, in media seconds. */
  restart(from: number): void
  isRunning(): boolean
}

export function createReversing(state: ControllerState): Reversing {
  const { requested } = state
  let run: { readonly rate: number; readonly ending: AbortController } | null = null

  const stop = () => {
    run?.ending.abort()
    run = null
  }
  const start = (attached: VideoAttachment, from: number) => {
    stop()
    const ending = new AbortController()
    const { signal } = ending
    run = { rate: requested.rate, ending }
    state.ended().addEventListener('abort', stop, { once: true, signal })
    state.observe('engine.played')
    const played = { from, speed: -requested.rate, onEnd: stop }
    import('./reverse-playback.ts')
      .then(({ playSourceBackwards }) => playSourceBackwards(state, attached, played, signal))
      .catch(() => undefined)
  }

  return {
    update() {
      const { attached } = state
      const isRequested = requested.isPlaying && requested.rate < 0 && requested.source?.kind === 'archive'
      if (!isRequested || !state.isLoaded || attached === null) {
        if (run !== null && !requested.isPlaying) state.observe('engine.paused')
        return stop()
      }
      if (run?.rate === requested.rate) return
      const { video, frames } = attached
      start(attached, video.seeking ? video.currentTime : (frames.mediaTime() ?? video.currentTime))
    },
    restart(from) {
      if (run !== null && state.attached !== null) start(state.attached, from)
    },
    isRunning: () => run !== null,
  }
}
