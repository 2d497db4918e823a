import { setTimeout as after } from 'node:timers/promises'
import { loopback } from '../../attack/space.ts'
import { call, jsonOf, member, type Reply } from '../../attack/calls.ts'
import { addStream, signInAsAdministrator, type Person } from '../../attack/people.ts'
import { startTarget, type Target } from '../../attack/target.ts'
import { leaksInternals, isApiError } from '../api-errors.ts'
import type { Farm } from './farm.ts'

const giveUpMs = 4000
/** How long a stream may retry. */
const streamMs = 2500

/** A separate server that requests hostile sources with the real ffmpeg. */
export type Prober = {
  /** The fault of a source, if any. */
  probe: (index: number) => Promise<string | undefined>
  close: () => Promise<void>
}

const wrongWith = (name: string, reply: Reply): string | undefined => {
  // The fuzzer's own timeout.
  if (reply.status === 0) return undefined
  if (reply.status === 200)
    return name === 'probe' && member(jsonOf(reply), 'tracks') === undefined ? 'a probe without tracks' : undefined
  if (reply.status === 204) return undefined
  const body = reply.body.toString()
  if (reply.status >= 500 && reply.headers['retry-after'] === undefined)
    return `${name} answered ${reply.status}: ${body.slice(0, 200)}`
  if (!isApiError(body)) return `${name} refused outside the contract: ${body.slice(0, 200)}`
  return leaksInternals(body) ? `${name} leaks its internals: ${body.slice(0, 200)}` : undefined
}

export const openProber = async (farm: Farm): Promise<Prober> => {
  const target: Target = await startTarget(loopback)
  let by: Person = await signInAsAdministrator(target)

  const look = async (index: number, url: string): Promise<string | undefined> => {
    if (farm.diceOf(index, 0).onceIn(12)) {
      const uid = await addStream(by, `fuzz ${index}`, url)
      await after(streamMs)
      await by.ask('DELETE', `/v1/stream/${uid}?purge=true`)
    }
    const name = farm.diceOf(index, 63).onceIn(2) ? 'probe' : 'preview'
    return wrongWith(
      name,
      await by.ask('GET', `/v1/stream/${name}?url=${encodeURIComponent(url)}`, { timeoutMs: giveUpMs }),
    )
  }

  return {
    probe: async (index) => {
      const scheme = farm.diceOf(index, 0).onceIn(3) ? 'rtsp' : 'http'
      const why = await look(index, `${scheme}://127.0.0.1:${farm.port}/${index}/live`).catch((error: unknown) =>
        String(error),
      )
      const health = await call(target.origin(), '/v1/system/health', { timeoutMs: 10_000 })
      if (target.isUp())
        return why ?? (health.status === 200 ? undefined : `health answers ${health.status} ${health.failure}`)
      await target.start()
      by = await signInAsAdministrator(target)
      return `the server ended: ${target.ends.at(-1)}`
    },
    close: async () => {
      await target.stop()
      target.dispose()
    },
  }
}
