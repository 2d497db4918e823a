import { defineConfig } from 'playwright/test'
import type { EngineName } from './e2e/browsers/test.ts'
import { browserArgs, findBrowser, hasFirefox, hasWebKit } from './scripts/browser.ts'

/** What counts frames, waits for pictures or measures: two at a time at most. */
const pictures = [
  '**/real/{clips,far-keyframes,faults,interruption,low-latency,main-job,moments,mosaic-sync,phone,player,reverse,touch}.spec.ts',
]
/** With servers of their own, for longer than most others take. */
const ownServers = ['**/real/{administration,alerts,passkeys,people,second-factor}.spec.ts', '**/visitor/*.spec.ts']
/** Each stands in for the server. */
const consolePages = ['**/console/*.spec.ts']
const soak = ['**/real/soak.spec.ts']
/** Not in Chromium. */
const journey = ['**/browsers/*.spec.ts']
/**
 * What takes long and says little more with every change: `npm run test:all` alone. docs/testing.md has the seconds of
 * each.
 */
const longPages = [
  '**/real/{away,base-path,camera-events,entrance,groups,initial-password,motion,ptz,shares,single-sign-on,third-party}.spec.ts',
  '**/walk/*.spec.ts',
]
const longPictures = ['**/real/{clips,far-keyframes,faults,low-latency,phone}.spec.ts']
/** Single tests of files of which `npm test` has a sample. */
const long = /@long/

/** Where they are installed. */
const firefox = [
  {
    name: 'firefox-smoke',
    outputDir: 'test-results/firefox-smoke',
    testMatch: journey,
    grep: /@smoke/,
    use: { engineName: 'firefox' },
  },
  { name: 'firefox', outputDir: 'test-results/firefox', testMatch: journey, use: { engineName: 'firefox' } },
] as const
const webkit = [
  { name: 'webkit', outputDir: 'test-results/webkit', testMatch: journey, use: { engineName: 'webkit' } },
] as const

export default defineConfig<object, { engineName: EngineName }>({
  testDir: 'e2e',
  // `npm test` runs `own-servers`, `demo-pages` and `pages`, three at a time, and `pictures`, two at a time; `npm run
  // test:all` the others as well (scripts/test.ts).
  projects: [
    {
      // One after the other, before one server, so they begin first.
      name: 'demo-pages',
      outputDir: 'test-results/demo-pages',
      testIgnore: [...pictures, ...soak, ...journey, ...longPages, ...ownServers, ...consolePages],
      grepInvert: long,
      workers: 1,
    },
    { name: 'own-servers', outputDir: 'test-results/own-servers', testMatch: ownServers, grepInvert: long },
    // Their tests follow each other, so that a sample alone can't run.
    { name: 'all-own-servers', outputDir: 'test-results/all-own-servers', testMatch: ownServers },
    { name: 'pages', outputDir: 'test-results/pages', testMatch: consolePages, grepInvert: long },
    { name: 'long-pages', outputDir: 'test-results/long-pages', testMatch: longPages },
    {
      name: 'sampled-pages',
      outputDir: 'test-results/sampled-pages',
      testIgnore: [...pictures, ...soak, ...journey, ...longPages, ...ownServers],
      grep: long,
    },
    {
      name: 'pictures',
      outputDir: 'test-results/pictures',
      testMatch: pictures,
      testIgnore: longPictures,
      grepInvert: long,
    },
    {
      name: 'sampled-pictures',
      outputDir: 'test-results/sampled-pictures',
      testMatch: pictures,
      testIgnore: longPictures,
      grep: long,
    },
    { name: 'long-pictures', outputDir: 'test-results/long-pictures', testMatch: longPictures },
    ...(hasFirefox() ? firefox : []),
    ...(hasWebKit() ? webkit : []),
    { name: 'soak', outputDir: 'test-results/soak', testMatch: soak },
  ],
  reporter: [['list'], ['./e2e/walk/report.ts']],
  fullyParallel: false,
  workers: 1,
  retries: 0,
  forbidOnly: true,
  // The outer bound where the machine is busy: drawing the demo archive alone may take minutes then.
  timeout: 300_000,
  expect: { timeout: 60_000 },
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
