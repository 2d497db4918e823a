import type { ControllerState } from './controller-state.ts'
import type { LiveEdgeController } from '../live/live-edge-controller.ts'
import { createInitSegmentWatch, disableAbort } from './media-source-faults.ts'
import type { ProgressWatch } from './progress.ts'
import type { SourceLoader } from './source-loader.ts'
import type { Transport } from './transport.ts'

export interface WatchdogParts {
  readonly liveEdge: LiveEdgeController
  readonly progress: ProgressWatch
  readonly transport: Transport
  readonly loader: SourceLoader
  /** Whether the picture is paused only until others with the same clock are ready. */
  readonly isHeld: () => boolean
}

/**
 * Returns a function to call a few times a second. It refreshes the segment timeline, reports stalls and failures,
 * works around faults of browsers and keeps live near its edge.
 */
export function createWatchdog(state: ControllerState, parts: WatchdogParts): () => void {
  const { requested, segmentTimeline } = state
  const { liveEdge, progress, transport, loader } = parts
  const initSegments = createInitSegmentWatch()

  return () => {
    const { attached, engine } = state
    if (attached === null || requested.source === null) return
    const { video, frames } = attached
    if (state.hasObserved()) loader.refreshMap()
    if (frames.mediaTime() !== null) loader.onFirstFrame()
    const verdict = progress.update({
      time: performance.now(),
      playhead: video.currentTime,
      areFramesDue: (requested.isPlaying && requested.rate >= 0 && !video.ended) || video.seeking || !state.isLoaded,
      isSeeking: video.seeking,
      isLive: requested.source.kind === 'live',
      hasFrame: video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA,
      isLoaded: state.isLoaded,
      hasPlaylist: segmentTimeline.map() !== null,
      segmentSeconds: engine?.segments().at(-1)?.duration ?? 0,
    })
    if (engine !== null && initSegments.hasLostInitSegment(video, engine.segmentsReceived(), performance.now())) {
      disableAbort()
      requested.seekTo = segmentTimeline.map()?.toUtc(video.currentTime) ?? requested.seekTo
      return void loader.load()
    }
    if (verdict === 'stalled') state.observe('engine.stalled')
    else if (verdict !== 'fine') return loader.fail(verdict.failure)
    const correction = state.isLoaded ? attached.restingPicture.correction(video, frames, parts.isHeld()) : null
    if (correction !== null) video.currentTime = correction
    const picture = transport.livePicture()
    if (picture !== null && state.isLoaded) liveEdge.update(picture)
  }
}
