import { setTimeout as after } from 'node:timers/promises'
import type { App } from './fastify.ts'

/** Closing waits for what these promise, such as the end of downloads, but no longer than `graceMs`. */
export type Finishing = (() => Promise<void>)[]

/** Installed before what ends connections. Meanwhile new calls are answered 503. */
export const installFinishing = (app: App, graceMs: number): Finishing => {
  const finishing: Finishing = []
  app.addHook('preClose', async () => {
    const waiting = new AbortController()
    const grace = after(graceMs, undefined, { signal: waiting.signal }).catch(() => undefined)
    await Promise.race([Promise.all(finishing.map((finish) => finish())), grace])
    waiting.abort()
  })
  return finishing
}
