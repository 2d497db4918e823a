import { createElement } from 'react'
import { type ActorRefFrom, fromCallback, fromPromise } from 'xstate'
import { currentAddress, goTo } from '../api/browser/location.ts'
import { createPictureShelf } from '../api/browser/pictures.ts'
import { readStored, writeStored } from '../api/browser/storage.ts'
import { viewportSize, watchViewport } from '../api/browser/viewport.ts'
import { watchVisibility } from '../api/browser/visibility.ts'
import { getLatestPreview, pauseStream, resumeStream } from '../api/resources/stream.ts'
import { getStreams, refreshStreams } from '../api/resources/streams.ts'
import { sidePanelMachine } from '../machines/side-panel/side-panel.machine.ts'
import { previewsMachine } from '../machines/streams/previews.machine.ts'
import { streamsMachine } from '../machines/streams/streams.machine.ts'
import { StreamsPage } from '../views/streams/StreamsPage.tsx'
import { definePage } from './page.ts'

const key = 'all-streams'
const pictures = createPictureShelf()

const logic = streamsMachine.provide({
  actors: {
    recall: fromPromise(async () => ({ stored: readStored('local', key), ...viewportSize() })),
    fetchPages: fromPromise(({ input: { query, pages }, signal }) =>
      Promise.all(pages.map(async (page) => ({ page, reply: await getStreams(query, page, signal) }))),
    ),
    refreshPages: fromPromise(async ({ input: { query, pages, generation }, signal }) => ({
      generation,
      answers: await Promise.all(pages.map(async (page) => ({ page, reply: await refreshStreams(query, page, signal) }))),
    })),
    changeStatus: fromPromise(({ input: { uid, change }, signal }) => (change === 'pause' ? pauseStream(uid, signal) : resumeStream(uid, signal))),
    visibility: fromCallback(({ sendBack }) => watchVisibility((hidden) => sendBack({ type: hidden ? 'page.hidden' : 'page.shown' }))),
    previews: previewsMachine.provide({
      actors: {
        fetchPreview: fromCallback(({ input: { uid }, sendBack }) => {
          const controller = new AbortController()
          void picture(uid, controller.signal)
            .catch(() => null)
            .then((url) => (controller.signal.aborted ? undefined : sendBack({ type: 'preview.fetched', uid, url })))
          return () => controller.abort()
        }),
        keepPictures: fromCallback(() => pictures.releaseAll),
      },
      actions: {
        releasePictures: (_args, { urls }) => {
          for (const url of urls) pictures.release(url)
        },
      },
    }),
    panel: sidePanelMachine.provide({
      actors: { watchViewport: fromCallback(({ sendBack }) => watchViewport((size) => sendBack({ type: 'viewport.resized', ...size }))) },
    }),
  },
  actions: {
    persist: (_args, { preferences }) => writeStored('local', key, preferences),
    replaceAddress: (_args, { search }) => {
      const address = currentAddress()
      if (address.search !== search) goTo(address.pathname + search + address.hash, { replace: true })
    },
  },
})

async function picture(uid: string, signal: AbortSignal): Promise<string | null> {
  const reply = await getLatestPreview(uid, signal)
  return reply.ok ? pictures.open(reply.value, signal) : null
}

export const page = definePage({
  logic,
  View: ({ actor }: { actor: ActorRefFrom<typeof logic> }) => createElement(StreamsPage, { actor }),
})
