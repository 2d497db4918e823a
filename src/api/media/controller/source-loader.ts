import type { ControllerState } from './controller-state.ts'
import type { StartAt } from '../engine/engine.ts'
import { engineErrorOf, failureOf, retryAfterOfError, type MediaFailure } from '../engine/failure.ts'
import type { LiveEdgeController } from '../live/live-edge-controller.ts'
import type { LoopWatch } from './loop.ts'
import { drawFrame } from '../frames/picture.ts'
import { playlistUrl } from '../playlist/playlist-url.ts'
import type { ProgressWatch } from './progress.ts'
import type { Sound } from './sound.ts'
import type { Transport } from './transport.ts'
import type { VideoAttachment } from './video-attachment.ts'

export interface SourceLoaderParts {
  readonly sound: Sound
  readonly liveEdge: LiveEdgeController
  readonly loopWatch: LoopWatch
  readonly progress: ProgressWatch
  readonly transport: Transport
  readonly startAt: StartAt
  /** Whether the picture follows a shared clock. */
  readonly isFollowing: () => boolean
}

/** Loads the requested source into the engine; reports the first frame or the failure. */
export interface SourceLoader {
  /** `startAt` replaces the usual start. Never rejects: a failure is reported. */
  load(startAt?: StartAt): Promise<void>
  /** Ends the load and reports the failure, with the moment of the last frame. Unloads nothing: the machine decides. */
  fail(failure: MediaFailure): void
  /** Reads the engine's segments into the segment timeline; reports an archive that has grown. */
  refreshMap(): void
  /** Completes a load, once; ignored until the segment timeline has segments. */
  onFirstFrame(): void
}

export function createSourceLoader(state: ControllerState, parts: SourceLoaderParts): SourceLoader {
  const { requested, segmentTimeline } = state
  const { sound, liveEdge, loopWatch, progress, transport } = parts

  const refreshMap = () => {
    if (state.engine === null || requested.source === null) return
    const before = segmentTimeline.map()
    segmentTimeline.refresh(state.engine.segments(), requested.source, Date.now())
    const map = segmentTimeline.map()
    if (requested.source.kind === 'archive' && before !== null && map !== null && map.to > before.to)
      state.report({ type: 'engine.windowMoved', from: map.from, to: map.to })
  }

  const fail = (failure: MediaFailure, retryAfterSeconds: number | null = null) => {
    const at = state.positionAt()
    state.keptAt = null
    state.beginLoad()
    const codec = failure === 'codec' && { codec: state.engine?.refusedCodec() ?? null }
    const retry = retryAfterSeconds !== null && { retryAfterSeconds }
    state.report({ type: 'engine.failed', failure, at, ...codec, ...retry })
  }

  /**
   * The start position is counted from the starts of segments, whose first frames may come later (`leadAt`): a paused
   * picture would be that much too early, so it seeks. Backwards, and by a shared clock, others choose the frame.
   */
  const seekToStart = ({ frames, video }: VideoAttachment) => {
    const { source, startAt, isPlaying } = requested
    if (isPlaying || requested.rate < 0 || parts.isFollowing()) return
    if (source?.kind !== 'archive' || frames.table.leadAt(video.currentTime) === 0) return
    requested.seekTo ??= startAt ?? source.from
  }

  const onFirstFrame = () => {
    const map = segmentTimeline.map()
    const { attached } = state
    if (state.isLoaded || map === null || attached === null) return
    seekToStart(attached)
    state.isLoaded = true
    state.keptAt = null
    requested.startAt = null
    attached.still.hidden = true
    progress.noteFirstFrame(performance.now())
    state.report({ type: 'engine.loaded', from: map.from, to: map.to })
    if (sound.isSilenced() && state.engine?.hasSound() === true) state.report({ type: 'engine.silenced' })
    transport.applySeek()
    if (!attached.video.paused && attached.video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA)
      state.observe('engine.played')
    else if (!requested.isPlaying) state.observe('engine.paused')
    if (requested.rate < 0) transport.applyPlaying()
  }

  const showStill = () => {
    if (state.attached === null || !state.isLoaded || state.positionAt() === null) return
    drawFrame(state.attached.video, state.attached.still)
    state.attached.still.hidden = false
  }

  const forgetSource = () => {
    showStill()
    progress.restart(performance.now())
    liveEdge.restart()
    loopWatch.set(requested.loop)
    segmentTimeline.forget()
    state.attached?.frames.forget()
    return state.beginLoad()
  }

  return {
    refreshMap,
    fail,
    onFirstFrame,
    async load(startAt = parts.startAt) {
      const { source } = requested
      const ownGeneration = forgetSource()
      try {
        const opened = await state.attached?.engine()
        if (ownGeneration !== state.generation || opened === undefined) return
        state.engine = opened
        if (source === null) return await opened.unload()
        const isLive = source.kind === 'live'
        await opened.load(playlistUrl(source), {
          startAt: isLive ? null : startAt,
          growsUntil: isLive || source.to <= Date.now() ? null : source.to,
        })
        if (ownGeneration !== state.generation) return
        refreshMap()
        transport.applyRate()
        transport.applyPlaying()
        if (state.attached?.frames.mediaTime() !== null) onFirstFrame()
      } catch (error) {
        const engineError = engineErrorOf(error)
        const failure = failureOf(engineError)
        if (ownGeneration === state.generation && failure !== null) fail(failure, retryAfterOfError(engineError))
      }
    },
  }
}
