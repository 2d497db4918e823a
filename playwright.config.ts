import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'playwright/test'
import { browserArgs, findBrowser } from './scripts/browser.ts'

const port = Number(process.env['E2E_PORT'] ?? 8191)
/** Workers read this file, too; the folder is the runner's, who removes it once the server has stopped. */
const isRunner = process.env['TEST_WORKER_INDEX'] === undefined
const dataDir = isRunner ? mkdtempSync(join(tmpdir(), 'sightline-e2e-')) : ''
if (isRunner) process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  reporter: [['list'], ['./e2e/walk/report.ts']],
  fullyParallel: false,
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    trace: 'off',
    launchOptions: {
      executablePath: findBrowser(),
      args: browserArgs,
    },
  },
  webServer: {
    command: 'exec node --disable-warning=ExperimentalWarning server/main.ts',
    url: `http://127.0.0.1:${port}/ui/`,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    timeout: 60_000,
    env: {
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_LOGIN: 'admin',
      ADMIN_PASSWORD: 'correct horse battery',
    },
  },
})
