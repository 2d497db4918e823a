import { test as base } from '../test.ts'
import { findFirefox } from '../../scripts/browser.ts'
import { startFirefox } from './firefox.ts'
import { type Hand, handOf } from './hand.ts'

/** One tab of one browser and one server for all tests of a file, which follow each other in it. */
export const test = base.extend<{ watched: undefined }, { program: string; hand: Hand }>({
  program: [findFirefox(), { option: true, scope: 'worker' }],
  hand: [
    async ({ program }, use) => {
      const engine = await startFirefox(program)
      await use(handOf(engine))
      await engine.close()
    },
    { scope: 'worker', timeout: 150_000 },
  ],
  /** Nothing is complained of in the console, and what went wrong is seen in a picture. */
  watched: [
    async ({ hand }, use, info) => {
      await use(undefined)
      if (info.status !== info.expectedStatus)
        await info.attach('screen', { body: await hand.engine.screenshot(), contentType: 'image/png' })
      base.expect(hand.engine.complaints()).toEqual([])
    },
    { auto: true },
  ],
})
