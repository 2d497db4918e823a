import { serverNow } from '../../server-time.ts'
import type { ControllerState } from './controller-state.ts'
import type { MediaController } from './media-controller.ts'
import { secondsAhead, bufferedRanges, pngOf } from '../frames/picture.ts'
import type { ProgressWatch } from './progress.ts'

export function createPlaybackStats(
  state: ControllerState,
  progress: ProgressWatch,
): Pick<MediaController, 'positionAt' | 'buffered' | 'stats' | 'snapshot'> {
  return {
    positionAt: state.positionAt,
    buffered() {
      const { attached } = state
      const map = state.segmentTimeline.map()
      if (attached === null || map === null) return []
      return bufferedRanges(attached.video).map(({ from, to }) => ({ from: map.toUtc(from), to: map.toUtc(to) }))
    },
    stats() {
      const { attached, engine } = state
      if (engine === null || attached === null || !state.isLoaded) return null
      const position = state.positionAt()
      const isLive = state.requested.source?.kind === 'live'
      return {
        ...engine.stats(),
        bufferedSeconds: secondsAhead(attached.video),
        latencySeconds: isLive && position !== null ? (serverNow() - position) / 1000 : null,
        lastFailure: progress.lastFailure(),
      }
    },
    async snapshot() {
      const { attached } = state
      return attached === null || !state.isLoaded || state.positionAt() === null ? null : pngOf(attached.video)
    },
  }
}
