import { once } from 'node:events'
import { test as base } from '../test.ts'
import { findFirefox, findMiniBrowser } from '../../scripts/browser.ts'
import { startFirefox } from './firefox.ts'
import { type Hand, handOf } from './hand.ts'
import { startWebKit } from './webkit.ts'

export type EngineName = 'firefox' | 'webkit'

/** A browser that can't be driven after this long is ended; the fixture has more time than that. */
const startMs = 120_000

const late = async (): Promise<never> => {
  await once(AbortSignal.timeout(startMs), 'abort')
  throw new Error(`the browser could not be driven after ${startMs / 1000} s`)
}

/** One tab of one browser and one server for all tests of a file, which follow each other in it. */
export const test = base.extend<{ watched: undefined }, { engineName: EngineName; hand: Hand }>({
  engineName: ['firefox', { option: true, scope: 'worker' }],
  hand: [
    async ({ engineName }, use) => {
      const ends = new AsyncDisposableStack()
      try {
        const starting =
          engineName === 'firefox' ? startFirefox(findFirefox(), ends) : startWebKit(findMiniBrowser(), ends)
        await use(handOf(await Promise.race([starting, late()])))
      } finally {
        await ends.disposeAsync()
      }
    },
    { scope: 'worker', timeout: startMs + 60_000 },
  ],
  /** Nothing is complained of in the console, and what went wrong is seen in a picture. */
  watched: [
    async ({ hand }, use, info) => {
      await use(undefined)
      if (info.status !== info.expectedStatus)
        await info.attach('screen', { body: await hand.engine.screenshot(), contentType: 'image/png' })
      base.expect(await hand.engine.complaints()).toEqual([])
    },
    { auto: true },
  ],
})
