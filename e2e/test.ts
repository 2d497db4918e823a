import { test as base } from 'playwright/test'
import { ownServer } from './own-server.ts'

/** The address of a running server with demo cameras, shared by all workers and runs of scripts/test.ts. */
const demoAddress = process.env['E2E_DEMO']

/**
 * Each worker has its own embedded server, which its tests share; with demo cameras if the tests need them and no
 * shared server runs.
 */
export const test = base.extend<object, { hasDemo: boolean; address: string }>({
  hasDemo: [true, { option: true, scope: 'worker' }],
  address: [
    async ({ hasDemo }, use) => {
      if (hasDemo && demoAddress !== undefined) return use(demoAddress)
      const server = ownServer(0, { args: hasDemo ? [] : ['--no-demo'] })
      await server.start()
      await use(server.address)
      await server.dispose()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ address }, use) => use(address),
  /** Blocks the service worker, which would be installed after half a minute: only real/away.spec.ts needs it. */
  context: async ({ context }, use) => {
    await context.addInitScript(() => void Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
    await use(context)
  },
})
