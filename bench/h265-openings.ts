import { setTimeout as after } from 'node:timers/promises'
import type { Page } from 'playwright'
import * as z from 'zod/mini'
import { openByLink, withPage } from './harness.ts'
import type { Call, Server } from './server.ts'

/** From one opening to the next, in the archive too: another segment each time, as transcoded ones are cached. */
export const openingStepMs = 2500

/** The first camera of the site, and not those from ten on. */
const link = /\bCamera 1\b/

const Created = z.object({ id: z.string() })

/** A slow machine is never idle on the list, as one preview follows another. */
const patienceMs = 5000

/** From the click on a link of a page to the first frame, which must be a transcoded one. */
const open = async (page: Page, path: string): Promise<number> => {
  await page.goto(path)
  await Promise.race([page.waitForLoadState('networkidle'), after(patienceMs)])
  const taken = await openByLink(page, link)
  await page.getByText(/^Transcoded video/).waitFor()
  return taken
}

/**
 * Milliseconds from the click on a link to the first frame in the player, which shows `compatible`: from the list live,
 * from a bookmark in the archive. `from`: the first moment of the archive to open, in epoch milliseconds.
 */
export const openInPlayer = (
  server: Server,
  call: Call,
  { uid, openings, from }: { uid: string; openings: number; from: number },
): Promise<{ live: number[]; archive: number[] }> =>
  withPage(server, async (page) => {
    const live: number[] = []
    const archive: number[] = []
    // Backwards, as the player loads what follows.
    for (let opening = openings - 1; opening >= 0; opening -= 1) {
      await after(openingStepMs)
      live.push(await open(page, '/ui/streams'))
      const time = new Date(from + opening * openingStepMs).toISOString()
      const { id } = z.parse(Created, await (await call('POST', '/v1/bookmarks', { streamId: uid, time })).json())
      archive.push(await open(page, '/ui/bookmarks'))
      await call('DELETE', `/v1/bookmark/${id}`)
    }
    return { live, archive }
  })
