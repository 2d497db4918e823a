import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { type Tab, scriptOf, resultOf, windowSize } from './tab.ts'
import { launch, firstMatch } from './processes.ts'

const Session = z.object({ capabilities: z.object({ browserName: z.string(), browserVersion: z.string() }) })
const Tree = z.object({ contexts: z.array(z.object({ context: z.string() })) })
const Evaluated = z.object({
  result: z.optional(z.object({ value: z.optional(z.unknown()) })),
  exceptionDetails: z.optional(z.object({ text: z.string() })),
})
const Message = z.object({
  id: z.optional(z.nullable(z.number())),
  type: z.string(),
  result: z.optional(z.unknown()),
  error: z.optional(z.string()),
  message: z.optional(z.string()),
  method: z.optional(z.string()),
  params: z.optional(z.unknown()),
})
const Entry = z.object({ level: z.string(), text: z.nullable(z.string()) })

/** The first two give headless Firefox a mouse; without a pointer nothing can be hovered. */
const preferences = (downloads: string): Readonly<Record<string, string | number | boolean>> => ({
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  'media.autoplay.default': 0,
  'browser.download.folderList': 2,
  'browser.download.dir': downloads,
  'browser.download.always_ask_before_handling_new_types': false,
  'intl.accept_languages': 'en-GB',
  'intl.locale.requested': 'en-GB',
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'remote.prefs.recommended': true,
})

type Send = (method: string, params: object) => Promise<unknown>

/** Opens a connection of WebDriver BiDi. */
async function connect(
  url: string,
  onEvent: (method: string, params: unknown) => void,
): Promise<{ send: Send; socket: WebSocket }> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, error, message, method, params } = z.parse(Message, JSON.parse(String(data)))
    if (type === 'event') return onEvent(method ?? '', params)
    const command = waiting.get(id ?? 0)
    waiting.delete(id ?? 0)
    if (type === 'success') command?.resolve(result)
    else command?.reject(new Error(`${error}: ${message}`))
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox closed the connection'))
  })
  let last = 0
  const send: Send = (method, params) => {
    const command = Promise.withResolvers<unknown>()
    waiting.set((last += 1), command)
    socket.send(JSON.stringify({ id: last, method, params }))
    return command.promise
  }
  return { send, socket }
}

/** Starts the installed Firefox, headless and with its own profile. */
export async function startFirefox(program: string, cleanup: AsyncDisposableStack): Promise<Tab> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-firefox-'))
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  const [profile, downloads] = [join(folder, 'profile'), join(folder, 'downloads')]
  mkdirSync(profile)
  mkdirSync(downloads)
  const lines = Object.entries(preferences(downloads)).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank']
  const child = launch(
    { program, args, env: { HOME: folder, TZ: 'Europe/Berlin' }, stdio: ['ignore', 'ignore', 'pipe'] },
    cleanup,
  )
  const url = await firstMatch(child, 2, /WebDriver BiDi listening on (\S+)/)
  const consoleErrors: string[] = []
  const { send, socket } = await connect(`${url}/session`, (method, params) => {
    if (method !== 'log.entryAdded') return
    const { level, text } = z.parse(Entry, params)
    if (level === 'error' || level === 'warn') consoleErrors.push(`${level}: ${text}`)
  })
  cleanup.defer(() => socket.close())
  const { capabilities } = z.parse(
    Session,
    await send('session.new', { capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'ignore' } } } }),
  )
  await send('session.subscribe', { events: ['log.entryAdded'] })
  const { contexts } = z.parse(Tree, await send('browsingContext.getTree', {}))
  const context = contexts[0]?.context
  const resize: Tab['resize'] = async (width, height) =>
    void (await send('browsingContext.setViewport', { context, viewport: { width, height } }))
  await resize(windowSize.width, windowSize.height)
  return {
    name: `${capabilities.browserName} ${capabilities.browserVersion}`,
    downloads,
    go: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    async evaluate(work, ...args) {
      const evaluated = await send('script.evaluate', {
        expression: scriptOf(work, args),
        target: { context },
        awaitPromise: true,
        userActivation: false,
      })
      const { result, exceptionDetails } = z.parse(Evaluated, evaluated)
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
      return resultOf(result?.value)
    },
    act: async (actions) => void (await send('input.performActions', { context, actions })),
    resize,
    async screenshot() {
      const { data } = z.parse(
        z.object({ data: z.string() }),
        await send('browsingContext.captureScreenshot', { context }),
      )
      return Buffer.from(data, 'base64')
    },
    consoleErrors: async () => consoleErrors,
  }
}
