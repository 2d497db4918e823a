import { createLateMediaController } from '../../api/media/controller/late-media-controller.ts'
import type { MediaController } from '../../api/media/controller/media-controller.ts'
import { preloadEngine } from '../../api/media/engine/preload-engine.ts'
import type { LiveGroup } from '../../api/media/live/live-group.ts'

/** Fetches the code of a media controller and the engine beside each other. */
export const mediaController = (group: LiveGroup | null = null): MediaController =>
  createLateMediaController(async () => {
    void preloadEngine().catch(() => null)
    const { createMediaController } = await import('../../api/media/controller/create-media-controller.ts')
    return createMediaController(group)
  })
