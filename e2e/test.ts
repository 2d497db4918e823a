import { test as base } from 'playwright/test'
import { ownServer } from './own-server.ts'

/** The demo cameras of a server that runs already, for all workers and runs of scripts/test.ts. */
const demoAddress = process.env['E2E_DEMO']

/**
 * Every worker has an embedded server of its own that its tests have in common, with the demo cameras where they look
 * at any and none runs yet.
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
  /**
   * Half a minute on the console would have itself kept, which costs every test what real/away.spec.ts alone looks at.
   */
  context: async ({ context }, use) => {
    await context.addInitScript(() => void Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
    await use(context)
  },
})
