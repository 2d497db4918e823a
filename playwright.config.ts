import { defineConfig } from 'playwright/test'
import { browserArgs, findBrowser } from './scripts/browser.ts'

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
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
