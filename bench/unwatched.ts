import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type CDPSession, type Page } from 'playwright'
import { browserArgs, findBrowser } from '../scripts/browser.ts'

/** A browser that is watched only while it is looked at: a debugger that stays keeps up to 200 MB of what a page was answered. */
interface Unwatched {
  pid: number
  /** Attaches a debugger to its one page, and leaves again. */
  look<T>(read: (page: Page, cdp: CDPSession) => Promise<T>): Promise<T>
}

/** Opens such a browser; it is gone afterwards. */
export async function withUnwatched<T>(act: (browser: Unwatched) => Promise<T>): Promise<T> {
  const profile = mkdtempSync(join(tmpdir(), 'sightline-browser-'))
  const child = spawn(
    findBrowser(),
    [...browserArgs, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--window-size=1440,900', '--autoplay-policy=no-user-gesture-required', '--js-flags=--expose-gc', 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const gone = once(child, 'exit')
  try {
    let endpoint = ''
    for await (const line of createInterface({ input: child.stderr })) {
      endpoint = /DevTools listening on (ws:\S+)/.exec(line)?.[1] ?? ''
      if (endpoint !== '') break
    }
    child.stderr.resume()
    return await act({
      pid: child.pid ?? 0,
      async look(read) {
        const browser = await chromium.connectOverCDP(endpoint)
        try {
          const page = browser.contexts()[0]?.pages()[0]
          if (page === undefined) throw new Error('the browser has no page')
          return await read(page, await page.context().newCDPSession(page))
        } finally {
          await browser.close()
        }
      },
    })
  } finally {
    child.kill()
    await gone
    rmSync(profile, { recursive: true, force: true })
  }
}
