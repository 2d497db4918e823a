import { defineConfig } from 'playwright/test'
import { browserArgs, findBrowser } from './scripts/browser.ts'

/** What counts frames, waits for pictures or measures: one at a time. */
const pictures = ['**/real/{clips,faults,low-latency,main-job,moments,mosaic-sync,phone,player,touch}.spec.ts']
const soak = ['**/real/soak.spec.ts']

export default defineConfig({
  testDir: 'e2e',
  // `npm test` runs the pages first, two at a time, and the soak beside the pictures (scripts/test.ts).
  projects: [
    { name: 'pages', outputDir: 'test-results/pages', testIgnore: [...pictures, ...soak] },
    { name: 'pictures', outputDir: 'test-results/pictures', testMatch: pictures },
    { name: 'soak', outputDir: 'test-results/soak', testMatch: soak },
  ],
  reporter: [['list'], ['./e2e/walk/report.ts']],
  fullyParallel: false,
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 150_000,
  expect: { timeout: 30_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    trace: 'off',
    launchOptions: {
      executablePath: findBrowser(),
      args: browserArgs,
    },
  },
})
