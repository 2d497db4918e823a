import { once } from 'node:events'
import { test as base } from '../test.ts'
import { findFirefox, findMiniBrowser } from '../../scripts/browser.ts'
import { startFirefox } from './firefox.ts'
import { type Driver, driverOf } from './driver.ts'
import { startWebKit } from './webkit.ts'

export type EngineName = 'firefox' | 'webkit'

/** How long a browser may take to start; the fixture's own timeout is longer. */
const startMs = 120_000

const timeout = async (): Promise<never> => {
  await once(AbortSignal.timeout(startMs), 'abort')
  throw new Error(`the browser did not start within ${startMs / 1000} s`)
}

/** One tab of one browser and one server for all tests of a file, which run one after another. */
export const test = base.extend<{ watched: undefined }, { engineName: EngineName; driver: Driver }>({
  engineName: ['firefox', { option: true, scope: 'worker' }],
  driver: [
    async ({ engineName }, use) => {
      const cleanup = new AsyncDisposableStack()
      try {
        const starting =
          engineName === 'firefox' ? startFirefox(findFirefox(), cleanup) : startWebKit(findMiniBrowser(), cleanup)
        await use(driverOf(await Promise.race([starting, timeout()])))
      } finally {
        await cleanup.disposeAsync()
      }
    },
    { scope: 'worker', timeout: startMs + 60_000 },
  ],
  /** Expects no errors on the browser's console; attaches a screenshot to a failed test. */
  watched: [
    async ({ driver }, use, info) => {
      await use(undefined)
      if (info.status !== info.expectedStatus)
        await info.attach('screen', { body: await driver.tab.screenshot(), contentType: 'image/png' })
      base.expect(await driver.tab.consoleErrors()).toEqual([])
    },
    { auto: true },
  ],
})
