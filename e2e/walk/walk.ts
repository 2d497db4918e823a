import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, type Route, expect } from 'playwright/test'
import { test as base } from '../test.ts'

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dist-walk')

/** The attachment of a test for the report (report.ts). */
export type Walked = { edges: string[]; leaves: string[] }

/**
 * The edges that the machines of a page took, in order, as the walk build reports them (src/views/dev/report-edges.ts).
 */
class Trail {
  private readonly edges: string[] = []
  private readonly leaves = new Set<string>()

  readonly note = (edge: string, leaves: readonly string[]): void => {
    this.edges.push(edge)
    for (const leaf of leaves) this.leaves.add(leaf)
  }

  get walked(): Walked {
    return { edges: [...new Set(this.edges)].toSorted(), leaves: [...this.leaves].toSorted() }
  }

  /** Makes a gesture and waits until the machines have taken these edges. */
  async takes(edges: readonly string[], gesture: () => Promise<unknown>): Promise<void> {
    const before = this.edges.length
    await gesture()
    await expect
      .poll(() => edges.filter((edge) => !this.edges.slice(before).includes(edge)), {
        message: 'edges that were not taken',
      })
      .toEqual([])
  }

  /** The same for a gesture that may come too late: it is repeated until the edges were taken. */
  async takesInTime(edges: readonly string[], gesture: () => Promise<unknown>): Promise<void> {
    const before = this.edges.length
    await expect(async () => {
      await gesture()
      expect(edges.filter((edge) => !this.edges.slice(before).includes(edge))).toEqual([])
    }).toPass({ timeout: 60_000 })
  }
}

/** Serves the walk build instead of the console, with the headers of the server's pages. */
async function serveWalkBuild(route: Route): Promise<void> {
  const { pathname } = new URL(route.request().url())
  const path = pathname.replace(/^\/ui\//, '')
  if (path === 'config.json') return route.fallback()
  if (path.includes('.')) return route.fulfill({ path: join(dist, path) })
  const { 'content-security-policy': policy = '' } = (await route.fetch()).headers()
  return route.fulfill({ path: join(dist, 'index.html'), headers: { 'content-security-policy': policy } })
}

async function watchPage(page: Page, trail: Trail): Promise<void> {
  await page.exposeFunction('edgeWalked', trail.note)
  await page.route(({ pathname }) => pathname.startsWith('/ui/'), serveWalkBuild)
}

/**
 * A page of the walk build. The edges of its machines are attached to the test, which fails if the page throws an error
 * that nothing catches.
 */
export const test = base.extend<{ trail: Trail }>({
  trail: [
    async ({ page }, use, testInfo) => {
      if (!existsSync(join(dist, 'index.html'))) throw new Error('Build it first: npm run build:walk')
      const trail = new Trail()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      await watchPage(page, trail)
      await use(trail)
      await testInfo.attach('edges', { body: JSON.stringify(trail.walked), contentType: 'application/json' })
      expect(problems).toEqual([])
    },
    { auto: true },
  ],
})
