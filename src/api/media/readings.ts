import type { Attachment } from './attachment.ts'
import type { MediaFailure } from './failure.ts'
import { heldAhead, heldBy, pngOf } from './picture.ts'
import type { Engine } from './shaka-engine.ts'
import type { Stage } from './stage.ts'
import type { UtcMap } from './utc-map.ts'

/** What a stage has running on its `<video>`. */
export interface Running {
  attached: Attachment | null
  engine: Engine | null
  map: UtcMap | null
  isLoaded: boolean
  isLive: boolean
  trouble: MediaFailure | null
}

/** What can be told of a stage at any moment, without changing it. */
export function createReadings(running: () => Running): Pick<Stage, 'positionAt' | 'buffered' | 'figures' | 'snapshot'> {
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
    figures() {
      const { attached, engine, isLoaded, isLive, trouble } = running()
      if (engine === null || attached === null || !isLoaded) return null
      const position = positionAt()
      return {
        ...engine.figures(),
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
