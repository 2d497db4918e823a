import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type CDPSession, type Page } from 'playwright'
import * as z from 'zod/mini'
import { browserArgs, findBrowser } from '../scripts/browser.ts'

interface Spawned {
  pid: number
  /** The URL at which a debugger attaches. */
  endpoint: string
}

/** Opens a browser without a debugger, and closes it afterwards. */
async function withSpawned<T>(act: (browser: Spawned) => Promise<T>): Promise<T> {
  const profile = mkdtempSync(join(tmpdir(), 'sightline-browser-'))
  const child = spawn(
    findBrowser(),
    [
      ...browserArgs,
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--window-size=1440,900',
      '--autoplay-policy=no-user-gesture-required',
      '--js-flags=--expose-gc',
      'about:blank',
    ],
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
    return await act({ pid: child.pid ?? 0, endpoint })
  } finally {
    child.kill()
    await gone
    rmSync(profile, { recursive: true, force: true })
  }
}

/**
 * A browser with a debugger only during readings, as a debugger that stays keeps up to 200 MB of a page's responses.
 */
interface DetachedDebugger {
  pid: number
  /** Attaches a debugger to the only page, and detaches it afterwards. */
  attach<T>(read: (page: Page, cdp: CDPSession) => Promise<T>): Promise<T>
}

/** Opens such a browser, and closes it afterwards. */
export function withDetachedDebugger<T>(act: (browser: DetachedDebugger) => Promise<T>): Promise<T> {
  return withSpawned(({ pid, endpoint }) =>
    act({
      pid,
      async attach(read) {
        const browser = await chromium.connectOverCDP(endpoint)
        try {
          const page = browser.contexts()[0]?.pages()[0]
          if (page === undefined) throw new Error('the browser has no page')
          return await read(page, await page.context().newCDPSession(page))
        } finally {
          await browser.close()
        }
      },
    }),
  )
}

const Answer = z.object({
  id: z.optional(z.number()),
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ message: z.string() })),
})
const Targets = z.object({ targetInfos: z.array(z.object({ targetId: z.string(), type: z.string() })) })
const Attached = z.object({ sessionId: z.string() })

/** Sends a command of the DevTools protocol to a page; returns its result. */
export type Send = (method: string, params?: object) => Promise<unknown>

/**
 * Opens a browser with one empty page that gets commands, without listening to its events: with a listener for errors,
 * as of Playwright, an error that react-dom creates at its start makes V8 parse all of it again, which takes about 50
 * ms.
 */
export function withoutListeners<T>(act: (send: Send) => Promise<T>): Promise<T> {
  return withSpawned(async ({ endpoint }) => {
    const socket = new WebSocket(endpoint)
    await once(socket, 'open')
    const waiting = new Map<number, PromiseWithResolvers<unknown>>()
    socket.addEventListener('message', ({ data }) => {
      const { id, result, error } = z.parse(Answer, JSON.parse(String(data)))
      if (id === undefined) return
      if (error === undefined) waiting.get(id)?.resolve(result)
      else waiting.get(id)?.reject(new Error(error.message))
      waiting.delete(id)
    })
    socket.addEventListener('close', () => {
      for (const { reject } of waiting.values()) reject(new Error('the browser has gone'))
    })
    const sent = { count: 0 }
    const ask = (message: object): Promise<unknown> => {
      const answered = Promise.withResolvers<unknown>()
      sent.count += 1
      waiting.set(sent.count, answered)
      socket.send(JSON.stringify({ id: sent.count, ...message }))
      return answered.promise
    }
    const { targetInfos } = z.parse(Targets, await ask({ method: 'Target.getTargets' }))
    const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId
    const { sessionId } = z.parse(
      Attached,
      await ask({ method: 'Target.attachToTarget', params: { targetId, flatten: true } }),
    )
    try {
      return await act((method, params = {}) => ask({ sessionId, method, params }))
    } finally {
      socket.close()
    }
  })
}
