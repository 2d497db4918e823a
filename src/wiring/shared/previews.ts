import { fromCallback } from 'xstate'
import { createPictureUrls } from '../../api/browser/pictures.ts'
import type { Reply } from '../../api/reply.ts'
import { getLatestPreview } from '../../api/resources/stream.ts'
import { previewsMachine } from '../../machines/streams/previews.machine.ts'
import { withBusyRetry } from './busy-retry.ts'
import { visibility } from './visibility.ts'

/**
 * A previews machine, by default for the latest previews of streams. Each page has its own; leaving it releases its
 * pictures.
 */
export function createPreviews(
  fetchPicture: (uid: string, signal: AbortSignal) => Promise<Reply<Blob>> = getLatestPreview,
) {
  const pictures = createPictureUrls()
  const picture = async (uid: string, signal: AbortSignal): Promise<string | null> => {
    const reply = await withBusyRetry(() => fetchPicture(uid, signal), signal)
    return reply.ok ? pictures.open(reply.value, signal) : null
  }
  return previewsMachine.provide({
    actors: {
      fetchPreview: fromCallback(({ input: { uid }, sendBack }) => {
        const controller = new AbortController()
        void picture(uid, controller.signal)
          .catch(() => null)
          .then((url) => (controller.signal.aborted ? undefined : sendBack({ type: 'preview.fetched', uid, url })))
        return () => controller.abort()
      }),
      holdPictures: fromCallback(() => pictures.releaseAll),
      visibility,
    },
    actions: {
      releasePictures: (_args, { urls }) => {
        for (const url of urls) pictures.release(url)
      },
    },
  })
}
