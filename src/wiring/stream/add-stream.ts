import { fromPromise } from 'xstate'
import { readCamera, findCameras } from '../../api/resources/onvif.ts'
import { createStream, getFirstStreams, getNodes, getSourcePicture } from '../../api/resources/stream-administration.ts'
import { noResponse, type Reply } from '../../api/reply.ts'
import { addStreamMachine } from '../../machines/stream-pages/add-stream.machine.ts'
import { batchMachine } from '../../machines/stream-pages/batch.machine.ts'
import { findCamerasMachine } from '../../machines/stream-pages/find-cameras.machine.ts'
import type { PictureQuery } from '../../machines/stream-pages/found-cameras.ts'
import { nodesMachine } from '../../machines/stream-pages/nodes.machine.ts'
import { withFieldErrors, newStreamForm } from '../../machines/stream-pages/stream-form.ts'
import { withCredentials } from '../../machines/stream-pages/source-credentials.ts'
import { streamBodyOf, withShownLimits } from '../../machines/stream-pages/stream-values.ts'
import { AddStreamPage } from '../../views/add-stream/AddStreamPage.tsx'
import { storeDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { definePage } from '../page.ts'
import { probing } from './stream-page.ts'

/** The first picture that can be fetched, from the camera's snapshot URL or its stream. */
async function fetchPicture({ urls, ...credentials }: PictureQuery, signal: AbortSignal): Promise<Reply<Blob>> {
  let reply: Reply<Blob> = { ok: false, apiError: noResponse }
  for (const url of urls) {
    reply = await getSourcePicture({ url: withCredentials(url, credentials) }, signal)
    if (reply.ok) return reply
  }
  return reply
}

export const page = definePage({
  logic: addStreamMachine.provide({
    actors: {
      form: newStreamForm.provide({
        actors: {
          submit: fromPromise(async ({ input: { values, saved }, signal }) =>
            withFieldErrors(await createStream(streamBodyOf(withShownLimits(values, saved)), signal)),
          ),
          watchLeaving,
          storeDraft,
        },
      }),
      probing,
      nodes: nodesMachine.provide({ actors: { fetchNodes: fromPromise(({ signal }) => getNodes(signal)) } }),
      batch: batchMachine.provide({
        actors: {
          create: fromPromise(({ input, signal }) => createStream(streamBodyOf(input.values), signal)),
          watchLeaving,
        },
      }),
      cameras: findCamerasMachine.provide({
        actors: {
          search: fromPromise(({ signal }) => findCameras(signal)),
          queryCamera: fromPromise(({ input, signal }) => readCamera(input, signal)),
          fetchPicture: fromPromise(({ input, signal }) => fetchPicture(input, signal)),
        },
      }),
      countStreams: fromPromise(({ signal }) => getFirstStreams(signal)),
    },
  }),
  View: AddStreamPage,
})
