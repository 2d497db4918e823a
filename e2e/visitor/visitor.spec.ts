import { type Page, expect } from 'playwright/test'
import { test } from '../test.ts'
import { type OwnServer, ownServer } from '../own-server.ts'
import { perform } from './actions.ts'
import { type Journey, allJourneys } from './journeys.ts'
import { roles } from './pages.ts'
import { expectedAt, namesAt, survey } from './survey.ts'
import { type World, furnish } from './world.ts'

/**
 * What the server may refuse on the way: whoever isn't signed in, and what is another's; a page asks for a picture and
 * for annotations while its stream is still on the way.
 */
const apiErrors: Readonly<Record<Journey['who'], RegExp>> = {
  signedOut: /^401 GET/,
  administrator: /^401 GET/,
  user: /^401 GET|^404 GET \/v1\/(?:stream\/|annotations\?|stream\/preview\?)\{hidden\}/,
  readOnly: /^401 GET|^404 GET \/v1\/(?:(?:stream\/|annotations\?|stream\/preview\?)\{hidden\}|mosaic\/\{mosaic\})/,
}

test.describe.configure({ mode: 'parallel' })

let journeys: ReadonlyMap<Journey['who'], Journey['steps']>
let server: OwnServer
let world: World

test.beforeAll(async () => {
  test.setTimeout(300_000)
  journeys = new Map(allJourneys().journeys.map(({ who, steps }) => [who, steps]))
  server = ownServer(9, {
    args: ['--no-demo'],
    env: { SETTING_CLUSTER_IS_ENABLED: 'true', SETTING_CLUSTER_NODE_NAME: 'north' },
  })
  await server.start()
  world = await furnish(server.address)
})
test.afterAll(() => server.dispose())

for (const who of ['signedOut', ...roles] as const) {
  test(`the journey of a visitor: ${who}`, { tag: '@long' }, async ({ browser }) => {
    test.setTimeout(600_000)
    const steps = journeys.get(who) ?? []
    const context = await browser.newContext({
      baseURL: server.address,
      reducedMotion: 'reduce',
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
    })
    const page = await context.newPage()
    const at = { step: 'the start' }
    const { problems, refused } = watch(page, () => at.step)
    await page.goto('/ui/auth')
    for (const [index, { action, screen }] of steps.entries()) {
      at.step = `step ${index + 1} of ${steps.length}, ${action}`
      await perform(page, action, world)
      await expect
        .poll(() => survey(page, namesAt(screen)), { message: at.step, intervals: [20, 30, 50, 100] })
        .toEqual(expectedAt(screen, world))
    }
    expect([...refused].filter((answer) => !apiErrors[who].test(answer))).toEqual([])
    expect(problems).toEqual([])
    await context.close()
  })
}

/** Collects the browser console's complaints, and which calls fail and which are refused. */
function watch(page: Page, where: () => string): { problems: string[]; refused: Set<string> } {
  const problems: string[] = []
  const refused = new Set<string>()
  page.on('pageerror', ({ message }) => problems.push(`${where()}: ${message}`))
  page.on('console', (message) => {
    const isApiError = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isApiError) problems.push(`${where()}: ${message.text()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (reason !== 'net::ERR_ABORTED') problems.push(`${where()}: ${request.url()} ${reason}`)
  })
  page.on('response', (response) => {
    if (response.status() < 400) return
    const { pathname, searchParams } = new URL(response.url())
    const subject = searchParams.get('stream_id') ?? searchParams.get('streamId')
    const asked = subject === null ? pathname : `${pathname}?${subject}`
    const path = Object.entries(world).reduce((path, [name, id]) => path.replace(id, `{${name}}`), asked)
    refused.add(`${response.status()} ${response.request().method()} ${path}`)
  })
  return { problems, refused }
}
