import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { deriveKey, seal, unseal } from '../access/sealing.ts'
import { minuteMs } from '../durations.ts'
import { createHostCookie } from '../http/host-cookie.ts'
import { parseJson } from '../parse-json.ts'

const lifetimeMs = 10 * minuteMs
const purpose = 'oidc flow'

/** What a sign-in needs when the browser comes back from the provider, perhaps to another node. */
const Flow = z.object({
  state: z.string(),
  nonce: z.string(),
  /** The code verifier of PKCE. */
  verifier: z.string(),
  redirectUri: z.string(),
})
export type Flow = z.output<typeof Flow>
/** `until`: epoch milliseconds. */
const StoredFlow = z.extend(Flow, { until: z.number() })

const cookie = createHostCookie('oidc')

/** Keeps a flow in a cookie that only the servers of this site can read. */
export const createFlowCookie = (serverKey: Buffer, now: () => number) => {
  const key = deriveKey(serverKey, purpose)
  return {
    set: (request: FastifyRequest, reply: FastifyReply, flow: Flow): void => {
      const text = JSON.stringify({ ...flow, until: now() + lifetimeMs })
      const value = seal(key, Buffer.from(text), purpose).toString('base64url')
      cookie.set(request, reply, value, lifetimeMs)
    },
    /** Returns the flow, which ends with this answer; undefined if it is missing, too old or another server's. */
    take: (request: FastifyRequest, reply: FastifyReply): Flow | undefined => {
      const value = cookie.read(request)
      cookie.clear(request, reply)
      if (value === undefined) return undefined
      try {
        const stored = parseJson(StoredFlow, unseal(key, Buffer.from(value, 'base64url'), purpose).toString())
        return stored !== undefined && now() < stored.until ? stored : undefined
      } catch {
        return undefined
      }
    },
  }
}
