import { test as base } from 'playwright/test'
import { ownServer } from './own-server.ts'

/**
 * Every worker has an embedded server of its own that its tests have in common, with the demo cameras where they look
 * at any.
 */
export const test = base.extend<object, { hasDemo: boolean; address: string }>({
  hasDemo: [true, { option: true, scope: 'worker' }],
  address: [
    async ({ hasDemo }, use) => {
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
