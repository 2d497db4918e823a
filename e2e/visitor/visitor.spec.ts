import { type Page, expect } from 'playwright/test'
import { test } from '../test.ts'
import { type OwnServer, ownServer } from '../own-server.ts'
import { perform } from './actions.ts'
import { type Journey, allJourneys } from './journeys.ts'
import { roles } from './pages.ts'
import { expectedAt, namesAt, survey } from './survey.ts'
import { type World, furnish } from './world.ts'

/**
 * The calls that the server may refuse during a journey: of visitors who aren't signed in, and about what another user
 * has. A page requests a picture and annotations before it knows whether its stream is there.
 */
const expectedRefusals: Readonly<Record<Journey['who'], RegExp>> = {
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
    expect([...refused].filter((answer) => !expectedRefusals[who].test(answer))).toEqual([])
    expect(problems).toEqual([])
    await context.close()
  })
}

/** Collects the errors of the browser's console and of requests, and which calls are refused. */
function watch(page: Page, where: () => string): { problems: string[]; refused: Set<string> } {
  const problems: string[] = []
  const refused = new Set<string>()
  page.on('pageerror', ({ message }) => problems.push(`${where()}: ${message}`))
  page.on('console', (message) => {
    const isFailedRequest = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isFailedRequest)
      problems.push(`${where()}: ${message.text()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (reason !== 'net::ERR_ABORTED') problems.push(`${where()}: ${request.url()} ${reason}`)
  })
  page.on('response', (response) => {
    if (response.status() < 400) return
    const { pathname, searchParams } = new URL(response.url())
    const streamId = searchParams.get('stream_id') ?? searchParams.get('streamId')
    const call = streamId === null ? pathname : `${pathname}?${streamId}`
    const path = Object.entries(world).reduce((path, [name, id]) => path.replace(id, `{${name}}`), call)
    refused.add(`${response.status()} ${response.request().method()} ${path}`)
  })
  return { problems, refused }
}
