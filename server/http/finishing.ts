import { setTimeout as after } from 'node:timers/promises'
import type { App } from './fastify.ts'

/** Functions whose promises closing waits for, such as the end of downloads. */
export type Finishing = (() => Promise<void>)[]

/**
 * Closing waits for at most `graceMs`; meanwhile new calls are answered 503. Must be installed before hooks that end
 * connections.
 */
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
