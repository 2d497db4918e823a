import type { VideoAttachment } from './video-attachment.ts'
import type { MediaFailure } from './failure.ts'
import { heldAhead, heldBy, pngOf } from './picture.ts'
import type { Engine } from './engine.ts'
import type { MediaController } from './media-controller.ts'
import type { UtcMap } from './utc-map.ts'

/** What a media controller has running on its `<video>`. */
export interface Running {
  attached: VideoAttachment | null
  engine: Engine | null
  map: UtcMap | null
  isLoaded: boolean
  isLive: boolean
  trouble: MediaFailure | null
}

/** What can be told of a media controller at any moment, without changing it. */
export function createPlaybackStats(
  running: () => Running,
): Pick<MediaController, 'positionAt' | 'buffered' | 'stats' | 'snapshot'> {
  const positionAt = () => {
    const { attached, map, isLoaded } = running()
    const mediaTime = attached?.frames.mediaTime() ?? null
    return mediaTime === null || map === null || !isLoaded ? null : Math.round(map.toUtc(mediaTime))
  }
  return {
    positionAt,
    buffered() {
      const { attached, map } = running()
      if (attached === null || map === null) return []
      return heldBy(attached.video).map(({ from, to }) => ({ from: map.toUtc(from), to: map.toUtc(to) }))
    },
    stats() {
      const { attached, engine, isLoaded, isLive, trouble } = running()
      if (engine === null || attached === null || !isLoaded) return null
      const position = positionAt()
      return {
        ...engine.stats(),
        bufferedSeconds: heldAhead(attached.video),
        latencySeconds: isLive && position !== null ? (Date.now() - position) / 1000 : null,
        lastFailure: trouble,
      }
    },
    async snapshot() {
      const { attached } = running()
      return attached === null || positionAt() === null ? null : pngOf(attached.video)
    },
  }
}
