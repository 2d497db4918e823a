import { expect } from 'playwright/test'
import { doAll, openWatched } from '../../bench/soak/deeds.ts'
import { heldByServer, pageProbe } from '../../bench/soak/held.ts'
import { watchedHeap } from '../../bench/soak/server-heap.ts'
import { openSession, waitForDemo } from '../../bench/server.ts'
import { ownServer } from '../own-server.ts'
import { test } from '../test.ts'
import { administrator, signIn } from './session.ts'

/** The server that is watched is the test's own. */
test.use({ hasDemo: false })

const rounds = 6
/** Generous: what a leak of one player a round comes to is more, and garbage that waits for its turn is less. */
const mostMegabytes = 16
/** A browser's to one host. */
const mostConnections = 6

test('a mosaic of nine and a busy player hold after a hundred deeds what they held after the first', async ({ browser }) => {
  test.setTimeout(1_200_000)
  const watched = await watchedHeap()
  const server = ownServer(2, { env: watched.env })
  try {
    await server.start()
    const { address, pid } = server
    await waitForDemo(await openSession({ address, login: administrator.name, password: administrator.password }), 'Gate')
    const heap = await watched.open()
    const ofServer = () => heldByServer(pid(), heap)
    const unwatched = await ofServer()

    const context = await browser.newContext({ baseURL: address, viewport: { width: 1440, height: 900 }, locale: 'en-GB', timezoneId: 'Europe/Berlin' })
    const page = await context.newPage()
    await signIn(page)
    const pages = await openWatched(context, page)
    const [mosaic, player] = [await pageProbe(pages.mosaic), await pageProbe(pages.player)]
    await doAll(pages)
    const first = { mosaic: await mosaic(), player: await player(), server: await ofServer() }

    for (let round = 1; round < rounds; round += 1) await doAll(pages)
    /** What comes and goes by itself is as it was at some moment; what leaked never is again. */
    const within = async () => {
      const now = { mosaic: await mosaic(), player: await player(), server: await ofServer() }
      return {
        media: [now.mosaic.media, now.player.media],
        hasMoreNodes: now.mosaic.nodes > first.mosaic.nodes + 100 || now.player.nodes > first.player.nodes + 100,
        hasMoreListeners: now.mosaic.listeners > first.mosaic.listeners + 10 || now.player.listeners > first.player.listeners + 10,
        hasMoreSockets: now.server.sockets > first.server.sockets + mostConnections,
        hasMoreFiles: now.server.files > first.server.files,
        hasMoreChildren: now.server.children > first.server.children,
        hasMoreHeap: [
          [now.mosaic.heapBytes, first.mosaic.heapBytes], [now.player.heapBytes, first.player.heapBytes], [now.server.heapBytes, first.server.heapBytes],
        ].map(([later = 0, before = 0]) => later - before > mostMegabytes * 2 ** 20),
      }
    }
    await expect.poll(within, { timeout: 60_000 }).toEqual({
      media: [first.mosaic.media, first.player.media],
      hasMoreNodes: false, hasMoreListeners: false, hasMoreSockets: false,
      hasMoreFiles: false,
      hasMoreChildren: false,
      hasMoreHeap: [false, false, false],
    })

    await context.close()
    const hasLetGo = async () => {
      const { sockets, files, children } = await ofServer()
      return sockets <= unwatched.sockets && files <= unwatched.files && children <= unwatched.children
    }
    await expect.poll(hasLetGo, { timeout: 120_000 }).toBe(true)
    heap.close()
  } finally {
    await server.dispose()
  }
})
