import { type Browser, expect } from 'playwright/test'
import { test } from '../test.ts'
import { screens } from '../screens/screens.ts'
import { axeFindings } from '../axe.ts'
import {
  type Screen,
  openScreen,
  forcedColourFindings,
  furnish,
  reflowFindings,
  signInAs,
  setLanguage,
} from '../screens/setup.ts'

/** Every other screen in each, for time; `npm run screens` has all of them in every theme, language and width. */
const looks = [
  { theme: 'dark', language: 'en', viewport: { width: 1440, height: 900 } },
  { theme: 'light', language: 'ru', viewport: { width: 390, height: 844 } },
] as const

test.describe.configure({ mode: 'parallel' })

/** `npm test` has every twentieth screen. */
const sampled = 20

for (const [turn, look] of looks.entries()) {
  const { theme, language } = look
  const details = { tag: '@long' }
  test(
    `every screen is there and free of what axe can find, ${theme} in ${language}`,
    details,
    async ({ browser, baseURL }) => {
      await lookAt(
        browser,
        baseURL ?? '',
        look,
        screens.filter((_screen, index) => index % looks.length === turn),
      )
    },
  )
}

test('a sample of the screens is there and free of what axe can find', async ({ browser, baseURL }) => {
  await lookAt(
    browser,
    baseURL ?? '',
    looks[0],
    screens.filter((_screen, index) => index % sampled === 0),
  )
})

type Look = (typeof looks)[number]

async function lookAt(browser: Browser, baseURL: string, look: Look, some: readonly Screen[]): Promise<void> {
  const { theme, language, viewport } = look
  test.setTimeout(600_000)
  const options = {
    baseURL,
    viewport,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: language === 'ru' ? 'ru-RU' : 'en-GB',
    timezoneId: 'Europe/Berlin',
  } as const
  const signedIn = await browser.newContext(options)
  const visiting = await browser.newContext(options)
  await signInAs(signedIn.request, baseURL, { name: 'admin', password: 'correct horse battery' })
  const world = await furnish(signedIn.request, baseURL)
  await setLanguage(signedIn, language)
  const found: Record<string, readonly string[]> = {}
  for (const screen of some) {
    await test.step(screen.name, async () => {
      const { page, problems } = await openScreen(
        screen.isVisitor === true ? visiting : signedIn,
        screen,
        world,
        language,
      )
      const findings = [
        ...(await axeFindings(page)),
        ...(await forcedColourFindings(page)),
        ...(await reflowFindings(page)),
        ...problems,
      ]
      if (findings.length > 0) found[screen.name] = findings
      await page.close()
    })
  }
  await signedIn.unrouteAll({ behavior: 'ignoreErrors' })
  await Promise.all([signedIn.close(), visiting.close()])
  expect(found).toEqual({})
}
