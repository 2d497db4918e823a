import { failedRequests, problemsOf } from '../problems.ts'
import { FakeServer } from '../../tests/fixtures/fake-server.ts'
import { test as base } from '../test.ts'

/** A page and the pages that it opens, with a fake server. */
export const test = base.extend<{ server: FakeServer; problems: string[] }>({
  hasDemo: false,
  server: async ({ context }, use) => {
    const server = new FakeServer()
    await context.route(/\/(?:v1\/|ui\/config\.json)/, async (route) => {
      const answer = await server.reply(route.request())
      if (answer === 'unreachable') return route.abort('connectionrefused')
      const { status = 200, json = {}, body, headers = {} } = answer
      return route.fulfill({ status, headers, ...(body === undefined ? { json } : { body }) })
    })
    await use(server)
  },
  /** The errors and warnings of the browser's console, without its messages about failed requests. */
  problems: async ({ page }, use) => {
    await use(problemsOf(page, failedRequests))
  },
})
