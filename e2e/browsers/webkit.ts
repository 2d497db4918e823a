import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import * as z from 'zod/mini'
import { freePort } from '../../scripts/free-port.ts'
import { type Tab, scriptOf, resultOf, windowSize } from './tab.ts'
import { launch, firstMatch } from './processes.ts'

const Answer = z.object({ value: z.unknown() })
const Failed = z.object({ error: z.string(), message: z.string() })
const Session = z.object({
  sessionId: z.string(),
  capabilities: z.object({ browserName: z.string(), browserVersion: z.string() }),
})

declare global {
  interface Window {
    consoleErrors?: string[]
  }
}

/** Runs in the page: collects errors and warnings from the first call on, and returns those since the last call. */
function collectConsoleErrors(): string[] {
  if (window.consoleErrors === undefined) {
    const consoleErrors: string[] = (window.consoleErrors = [])
    for (const level of ['error', 'warn'] as const) {
      const original = console[level]
      console[level] = (...values: unknown[]) => {
        consoleErrors.push(`${level}: ${values.map(String).join(' ')}`)
        original(...values)
      }
    }
    addEventListener('error', ({ message }) => consoleErrors.push(`error: ${message}`))
    addEventListener('unhandledrejection', ({ reason }) => consoleErrors.push(`unhandled: ${String(reason)}`))
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      consoleErrors.push(`policy: ${violatedDirective} ${blockedURI}`),
    )
  }
  return window.consoleErrors.splice(0)
}

/** The configuration of a session bus without services, as the document portal would mount a file system in the browser's home. */
const busConfiguration = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

/** Starts the MiniBrowser of WebKitGTK on its own virtual display. */
export async function startWebKit(program: string, cleanup: AsyncDisposableStack): Promise<Tab> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-webkit-'))
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  const [settings, downloads] = [join(folder, '.config'), join(folder, 'downloads')]
  mkdirSync(settings)
  mkdirSync(downloads)
  writeFileSync(join(settings, 'user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/downloads"\n')
  const bus = join(folder, 'bus.conf')
  writeFileSync(bus, busConfiguration)
  const screen = ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp']
  const display = await firstMatch(
    launch({ program: 'Xvfb', args: screen, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] }, cleanup),
    3,
    /^(\d+)$/,
  )
  const port = await freePort()
  const env = {
    DISPLAY: `:${display}`,
    HOME: folder,
    LIBGL_ALWAYS_SOFTWARE: '1',
    TZ: 'Europe/Berlin',
    LANG: 'en_GB.UTF-8',
    LANGUAGE: 'en_GB',
  }
  const args = [`--config-file=${bus}`, '--', 'WebKitWebDriver', '-p', String(port), '--replace-on-new-session']
  launch({ program: 'dbus-run-session', args, env, stdio: 'ignore' }, cleanup)

  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { value } = z.parse(Answer, await response.json())
    if (response.ok) return value
    const { error, message } = z.parse(Failed, value)
    throw new Error(`${error}: ${message}`)
  }
  await expect(async () => void (await call('GET', '/status')), 'WebKitWebDriver answers').toPass({ timeout: 60_000 })
  const options = { binary: program, args: ['--automation'] }
  const required = {
    browserName: 'MiniBrowser',
    unhandledPromptBehavior: 'ignore',
    'webkitgtk:browserOptions': options,
  }
  const { sessionId, capabilities } = z.parse(
    Session,
    await call('POST', '/session', { capabilities: { alwaysMatch: required } }),
  )
  const command = (method: string, name: string, body?: object) => call(method, `/session/${sessionId}/${name}`, body)
  const run = async (script: string): Promise<unknown> =>
    resultOf(await command('POST', 'execute/sync', { script: `return ${script}`, args: [] }))
  const consoleErrors: string[] = []
  const readConsole = async () =>
    void consoleErrors.push(...z.parse(z.array(z.string()), await run(scriptOf(collectConsoleErrors, []))))
  const resize: Tab['resize'] = async (width, height) => void (await command('POST', 'window/rect', { width, height }))
  await resize(windowSize.width, windowSize.height)
  return {
    name: `${capabilities.browserName} ${capabilities.browserVersion}`,
    downloads,
    async go(url) {
      await readConsole()
      await command('POST', 'url', { url })
      await readConsole()
    },
    async evaluate(work, ...args) {
      return resultOf(await command('POST', 'execute/sync', { script: `return ${scriptOf(work, args)}`, args: [] }))
    },
    act: async (actions) => void (await command('POST', 'actions', { actions })),
    resize,
    screenshot: async () => Buffer.from(String(await command('GET', 'screenshot')), 'base64'),
    async consoleErrors() {
      await readConsole()
      return consoleErrors
    },
  }
}
