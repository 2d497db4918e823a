import type { ControllerState } from './controller-state.ts'
import type { VideoAttachment } from './video-attachment.ts'

/** Backward playback of the archive. As browsers don't play backwards, the paused picture seeks to each keyframe. */
export interface Reversing {
  /** Plays the loaded source backwards if that is requested, otherwise stops. */
  update(): void
  /** Continues from another position, in media seconds; ignored unless it is running. */
  restart(from: number): void
  isRunning(): boolean
}

export function createReversing(state: ControllerState): Reversing {
  const { requested } = state
  let running: { readonly rate: number; readonly ending: AbortController } | null = null

  const stop = () => {
    running?.ending.abort()
    running = null
  }
  const start = (attached: VideoAttachment, from: number) => {
    stop()
    const ending = new AbortController()
    const { signal } = ending
    running = { rate: requested.rate, ending }
    state.loadSignal().addEventListener('abort', stop, { once: true, signal })
    state.observe('engine.played')
    const playback = { from, speed: -requested.rate, onEnd: stop }
    import('./reverse-playback.ts')
      .then(({ playSourceBackwards }) => playSourceBackwards(state, attached, playback, signal))
      .catch(() => {
        if (signal.aborted) return
        stop()
        state.report({ type: 'engine.failed', failure: 'network', at: state.positionAt() })
      })
  }

  return {
    update() {
      const { attached } = state
      const isRequested = requested.isPlaying && requested.rate < 0 && requested.source?.kind === 'archive'
      if (!isRequested || !state.isLoaded || attached === null) {
        if (running !== null && !requested.isPlaying) state.observe('engine.paused')
        return stop()
      }
      if (running?.rate === requested.rate) return
      const { video, frames } = attached
      start(attached, video.seeking ? video.currentTime : (frames.mediaTime() ?? video.currentTime))
    },
    restart(from) {
      if (running !== null && state.attached !== null) start(state.attached, from)
    },
    isRunning: () => running !== null,
  }
}
