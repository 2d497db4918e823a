import type { BrowserContext, Request } from 'playwright/test'
import { test as base } from '../test.ts'

/**
 * A /v1 that isn't ours: each test says what it answers, so that the console is held to the contract's words and not to
 * the embedded server, in the page and in what it opens. What a test leaves open is unavailable for a while: told that it
 * isn't there, a page would lead to not found, sooner or later than the test looks.
 */
type Answer = { status?: number; json?: unknown; body?: Buffer; headers?: Record<string, string> } | 'unreachable'
type Handler = Answer | ((request: Request) => Answer | Promise<Answer>)

export const notFound: Answer = { status: 404, json: { code: 'NotFound' } }
const unavailable: Answer = { status: 503, json: { code: 'Unavailable' } }

export class FakeServer {
  readonly calls: string[] = []
  readonly bodies: { call: string; body: unknown }[] = []
  private readonly handlers = new Map<string, Handler>()
  private readonly context: BrowserContext

  constructor(context: BrowserContext) {
    this.context = context
  }

  /** `call` is a method and a path without its query: `GET /v1/user`. */
  answer(call: string, handler: Handler): void {
    this.handlers.set(call, handler)
  }

  async start(): Promise<void> {
    await this.context.route(/\/(?:v1\/|ui\/config\.json)/, async (route) => {
      const request = route.request()
      const { pathname, search } = new URL(request.url())
      const call = `${request.method()} ${pathname}`
      this.calls.push(call + search)
      if (request.method() !== 'GET') this.bodies.push({ call, body: request.postDataJSON() })
      const handler = this.handlers.get(call) ?? unavailable
      const answer = typeof handler === 'function' ? await handler(request) : handler
      if (answer === 'unreachable') return route.abort('connectionrefused')
      const { status = 200, json = {}, body, headers = {} } = answer
      return route.fulfill({ status, headers, ...(body === undefined ? { json } : { body }) })
    })
  }

  count(call: string): number {
    return this.calls.filter((one) => one.split('?')[0] === call).length
  }
}

export const admin = {
  name: 'ann',
  email: 'ann@example.org',
  fullName: 'Ann Lee',
  language: 'en',
  isAdmin: true,
  maxStreamCreation: -1,
}
export const reader = { name: 'rob', language: 'en', isAdmin: false, maxStreamCreation: 0 }

export const settings = { version: '4.2', isLocked: false, passwordResetAllowed: true, features: ['tunnel'] }

const nothing = { items: [], page: 1, pageSize: 50, total: 0 }

const lists = ['streams', 'mosaics', 'users', 'tokens', 'sessions', 'annotations', 'admin/audit-logs']

/** A page in front of a fake server that knows settings, health, empty lists and, unless told otherwise, an administrator. */
export const test = base.extend<{ server: FakeServer; problems: string[] }>({
  hasDemo: false,
  server: async ({ context }, use) => {
    const server = new FakeServer(context)
    server.answer('GET /ui/config.json', { json: {} })
    server.answer('GET /v1/system/internal/ui/settings', { json: settings })
    server.answer('GET /v1/system/health', { json: { version: '4.2', warnings: [] } })
    server.answer('GET /v1/user', { json: admin })
    for (const list of lists) server.answer(`GET /v1/${list}`, { json: nothing })
    await server.start()
    await use(server)
  },
  /** What the browser's console complained of, but for the errors that a test asks for. */
  problems: async ({ page }, use) => {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      const isApiError = message.text().startsWith('Failed to load resource')
      if (['error', 'warning'].includes(message.type()) && !isApiError) problems.push(message.text())
    })
    await use(problems)
  },
})
