import { test as base } from 'playwright/test'
import { ownServer } from './own-server.ts'

/** Every worker has an embedded server of its own, with demo cameras, that its tests have in common. */
export const test = base.extend<object, { address: string }>({
  address: [
    // Playwright reads the names of what a fixture needs from this pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = ownServer(0)
      await server.start()
      await use(server.address)
      await server.dispose()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ address }, use) => use(address),
})
