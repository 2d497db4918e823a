import { fromCallback, fromPromise } from 'xstate'
import { createPictureUrls } from '../../api/browser/pictures.ts'
import { getPreviewAt } from '../../api/resources/archive.ts'
import { getLatestPreview } from '../../api/resources/stream.ts'
import { waitingPictureMachine } from '../../machines/player/waiting-picture.machine.ts'
import { withBusyRetry } from '../shared/busy-retry.ts'

const pictures = createPictureUrls()

export const waitingPicture = waitingPictureMachine.provide({
  actors: {
    fetchPicture: fromPromise(async ({ input: { uid, at }, signal }) => {
      const ask = () => (at === null ? getLatestPreview(uid, signal) : getPreviewAt(uid, at, signal))
      const reply = await withBusyRetry(ask, signal)
      return reply.ok ? pictures.open(reply.value, signal) : null
    }),
    holdPictures: fromCallback(() => pictures.releaseAll),
  },
})
