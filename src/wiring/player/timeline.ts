import { fromCallback, fromPromise } from 'xstate'
import { createPictureUrls } from '../../api/browser/pictures.ts'
import { getAnnotations, getPreviewAt, getRanges } from '../../api/resources/archive.ts'
import { hoverPreviewMachine } from '../../machines/timeline/hover-preview.machine.ts'
import { timelineMachine } from '../../machines/timeline/timeline.machine.ts'
import { annotationsMachine, rangesMachine } from '../../machines/timeline/timeline.actors.ts'
import { coverage } from './coverage.ts'
import { withBusyRetry } from '../shared/busy-retry.ts'
import { visibility } from '../shared/visibility.ts'

export const ranges = rangesMachine.provide({
  actors: {
    loadChunks: fromPromise(({ input: { streamId, cells }, signal }) =>
      Promise.all(cells.map(async (cell) => ({ cell, reply: await getRanges(streamId, cell, signal) }))),
    ),
    visibility,
  },
})

const pictures = createPictureUrls()
/** The answers for a moment that has no picture; the embedded server answers 204. */
const withoutPicture: ReadonlySet<number> = new Set([204, 404])

export const hoverPreview = hoverPreviewMachine.provide({
  actors: {
    fetchPicture: fromPromise(async ({ input: { streamId, at }, signal }) => {
      const reply = await withBusyRetry(() => getPreviewAt(streamId, at, signal), signal)
      if (reply.ok) return pictures.open(reply.value, signal)
      if (withoutPicture.has(reply.apiError.status)) return null
      // Not remembered as a moment without a picture.
      throw new Error(`the preview isn't loaded: ${reply.apiError.status} ${reply.apiError.code}`)
    }),
    holdPictures: fromCallback(() => pictures.releaseAll),
  },
  actions: {
    releasePictures: (_, { urls }) => {
      for (const url of urls) if (url !== null) pictures.release(url)
    },
  },
})

export const timeline = timelineMachine.provide({
  actors: {
    ranges,
    annotations: annotationsMachine.provide({
      actors: {
        loadChunks: fromPromise(({ input: { streamId, cells }, signal }) =>
          Promise.all(cells.map(async (cell) => ({ cell, reply: await getAnnotations(streamId, cell, signal) }))),
        ),
        visibility,
      },
    }),
    coverage,
    hoverPreview,
  },
})
