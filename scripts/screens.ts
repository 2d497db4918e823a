import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium, type Browser } from 'playwright'
import { type Look, type Picture, pictures } from '../e2e/screens/readme.ts'
import { allScreens } from '../e2e/screens/screens.ts'
import { axeFindings } from '../e2e/axe.ts'
import {
  openScreen,
  furnish,
  layoutFindings,
  signInAs,
  setLanguage,
  type Screen,
  type World,
} from '../e2e/screens/setup.ts'
import { ArchiveStats } from '../src/api/contract/archive.ts'
import { browserArgs, findBrowser } from './browser.ts'

/**
 * Pictures of every screen in both languages, wide and narrow, dark and light, from its own embedded server, with the
 * findings of axe, the browser's console and the layout checks. Needs a built console (`npm run build`). `--only
 * streams` (repeatable) selects screens, `--look ru-narrow-light` looks; `--axe-only` stores no pictures; `--readme`
 * writes those of docs/images.
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    look: { type: 'string', multiple: true },
    'axe-only': { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
  },
})

const root = join(import.meta.dirname, '..')
const port = Number(process.env['PORT'] ?? 8197)
const address = `http://127.0.0.1:${port}`
const administrator = { name: 'admin', password: 'correct horse battery' }
const dataDir = mkdtempSync(join(tmpdir(), 'sightline-screens-'))

const widths = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } }

async function startServer(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_LOGIN: administrator.name,
      ADMIN_PASSWORD: administrator.password,
      SETTING_LIMITS_PROCESSOR_MAX_PERCENT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

const openContext = (browser: Browser, { language, width, theme }: Look) =>
  browser.newContext({
    baseURL: address,
    viewport: widths[width],
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: language === 'ru' ? 'ru-RU' : 'en-GB',
    timezoneId: 'Europe/Berlin',
  })

/** Waits until the demo archive has its six hours (server/demo/seed.ts). */
async function demoArchive(browser: Browser, look: Look): Promise<void> {
  const context = await openContext(browser, look)
  await signInAs(context.request, address, administrator)
  const { stream } = await furnish(context.request, address)
  const from = Date.now() - 5.9 * 3_600_000
  for (let first = Infinity; first > from; await pause(1000)) {
    const answer = await context.request.get(`/v1/stream/${stream}/archive/stats`)
    first = ArchiveStats.parse(await answer.json()).period?.startTime ?? Infinity
  }
  await context.close()
}

/** Runs `work` with each screen of one look, in a signed-in page or a visitor's. */
async function eachScreen(
  browser: Browser,
  look: Look,
  chosen: readonly Screen[],
  visit: (screen: Screen, world: World) => Promise<void>,
  contexts: Contexts,
): Promise<void> {
  const signedIn = await openContext(browser, look)
  const visiting = await openContext(browser, look)
  await signInAs(signedIn.request, address, administrator)
  const world = await furnish(signedIn.request, address)
  await setLanguage(signedIn, look.language)
  Object.assign(contexts, { signedIn, visiting })
  for (const screen of chosen) await visit(screen, world)
  await signedIn.unrouteAll({ behavior: 'ignoreErrors' })
  await Promise.all([signedIn.close(), visiting.close()])
}

type Context = Awaited<ReturnType<typeof openContext>>
type Contexts = { signedIn: Context | null; visiting: Context | null }

async function take(contexts: Contexts, screen: Screen, world: World, look: Look): Promise<string[]> {
  const context = screen.isVisitor === true ? contexts.visiting : contexts.signedIn
  if (context === null) throw new Error('no context')
  const name = `${nameOf(look)}-${screen.name}`
  try {
    const { page, problems } = await openScreen(context, screen, world, look.language)
    if (!values['axe-only']) await page.screenshot({ path: join(root, 'screens', `${name}.png`) })
    const findings = [
      ...problems.map((problem) => `console: ${problem}`),
      ...(await layoutFindings(page)),
      ...(await axeFindings(page)),
    ]
    await page.close()
    return findings
  } catch (error) {
    for (const page of context.pages()) {
      await page.screenshot({ path: join(root, 'screens', `${name}-failed.png`) }).catch(() => undefined)
      await page.close()
    }
    return [`not there: ${String(error).split('\n').slice(0, 3).join(' ').slice(0, 300)}`]
  }
}

/** A JPEG of at most 150 kB. */
async function takePicture(contexts: Contexts, screen: Screen, world: World, picture: Picture): Promise<void> {
  const context = screen.isVisitor === true ? contexts.visiting : contexts.signedIn
  if (context === null) throw new Error('no context')
  const { file, language, previews = 0 } = picture
  const { page } = await openScreen(context, screen, world, language)
  if (previews > 0)
    await page
      .locator('main img')
      .nth(previews - 1)
      .waitFor()
  for (const quality of [88, 80, 72, 64, 56]) {
    const image = await page.screenshot({ type: 'jpeg', quality })
    if (image.length > 150_000 && quality > 56) continue
    writeFileSync(join(root, 'docs/images', `${file}.jpg`), image)
    process.stdout.write(`docs/images/${file}.jpg: ${Math.round(image.length / 1000)} kB\n`)
    break
  }
  await page.close()
}

const nameOf = ({ language, width, theme }: Look) => `${language}-${width}-${theme}`
const looks: Look[] = (['en', 'ru'] as const).flatMap((language) =>
  (['wide', 'narrow'] as const).flatMap((width) =>
    (['dark', 'light'] as const).map((theme) => ({ language, width, theme })),
  ),
)
const chosen = allScreens.filter(({ name }) => values.only === undefined || values.only.includes(name))
mkdirSync(join(root, 'screens'), { recursive: true })
mkdirSync(join(root, 'docs/images'), { recursive: true })
const server = await startServer()
process.once('exit', () => server.kill())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArgs })
const found = new Map<string, string[]>()
try {
  if (values.readme) {
    await demoArchive(browser, { language: 'en', width: 'wide', theme: 'dark' })
    for (const picture of pictures.filter(({ name }) => values.only === undefined || values.only.includes(name))) {
      const contexts: Contexts = { signedIn: null, visiting: null }
      await eachScreen(
        browser,
        picture,
        allScreens.filter((screen) => screen.name === picture.name),
        (screen, world) => takePicture(contexts, screen, world, picture),
        contexts,
      )
    }
  } else {
    for (const look of looks.filter((one) => values.look === undefined || values.look.includes(nameOf(one)))) {
      const contexts: Contexts = { signedIn: null, visiting: null }
      await eachScreen(
        browser,
        look,
        chosen,
        async (screen, world) => {
          const findings = await take(contexts, screen, world, look)
          const name = `${nameOf(look)}-${screen.name}`
          found.set(name, findings)
          process.stdout.write(`${name.padEnd(44)} ${findings.length === 0 ? '–' : findings.length}\n`)
          for (const finding of findings) process.stdout.write(`    ${finding}\n`)
        },
        contexts,
      )
    }
  }
} finally {
  await browser.close()
  server.kill('SIGTERM')
  await once(server, 'exit')
  rmSync(dataDir, { recursive: true, force: true })
}
const bad = [...found].filter(([, findings]) => findings.length > 0)
if (!values.readme) process.stdout.write(`\n${found.size} screens, ${bad.length} with findings\n`)
process.exitCode = bad.length === 0 ? 0 : 1
