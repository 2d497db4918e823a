import { accessSync, constants, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The two popups of the address bar: pages of the browser itself that cost more than the page under test. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
/** Features to disable: also those that Playwright disables, as only the last list counts. */
const switchedOff = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** The arguments of a headless Chromium without internet access. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...switchedOff, ...addressBar].join(',')}`,
]

/** The first of these programs in PATH. */
function find(programs: readonly string[]): string | undefined {
  const candidates = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => programs.map((name) => join(folder, name)))
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** The browser named in CHROMIUM, or the first one found in PATH. */
export function findBrowser(): string {
  const found = process.env['CHROMIUM'] || find(names)
  if (found === undefined) throw new Error('No Chromium found: install it, or name it in CHROMIUM')
  return found
}

const firefoxes = ['firefox-esr', 'firefox']
export const hasFirefox = (): boolean => find(firefoxes) !== undefined

export function findFirefox(): string {
  const found = find(firefoxes)
  if (found === undefined) throw new Error('No Firefox found: install firefox-esr')
  return found
}

const findWebKit = (): string | undefined => globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')[0]
export const hasWebKit = (): boolean =>
  findWebKit() !== undefined &&
  ['WebKitWebDriver', 'Xvfb', 'dbus-run-session'].every((name) => find([name]) !== undefined)

/** The browser of WebKitGTK, which isn't in PATH. */
export function findMiniBrowser(): string {
  const found = findWebKit()
  if (found === undefined) throw new Error('No MiniBrowser found: install webkit2gtk-driver')
  return found
}
