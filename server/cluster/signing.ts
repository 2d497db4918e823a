import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { deriveKey } from '../access/sealing.ts'
import { parseJson } from '../parse-json.ts'

const share = { kind: z.literal('share'), streamUid: z.string() } as const

/** The client whose request a node passes on. */
const PassedClient = z.object({
  caller: z.union([
    z.object({ kind: z.literal('anonymous') }),
    // The first that fits counts, without what it doesn't name: those that allow less come first.
    z.object({ ...share, needsPassword: z.literal(true) }),
    z.object({
      ...share,
      passwordId: z.exactOptional(z.string()),
      range: z.object({ from: z.number(), to: z.number(), hasLive: z.boolean() }),
    }),
    z.object({ ...share, passwordId: z.exactOptional(z.string()) }),
    z.object({
      kind: z.literal('user'),
      id: z.string(),
      login: z.string(),
      isAdmin: z.boolean(),
      maxStreamCreation: z.number(),
      mustChangePassword: z.boolean(),
      mustAddTotp: z.boolean(),
      via: z.union([z.object({ session: z.string() }), z.object({ token: z.string() })]),
    }),
  ]),
  ip: z.string(),
  isHttp2: z.boolean(),
})
export type PassedClient = z.output<typeof PassedClient>

const Claims = z.object({
  from: z.string(),
  to: z.string(),
  time: z.number(),
  nonce: z.string(),
  origin: z.optional(PassedClient),
})
type Claims = z.output<typeof Claims>

/** The header with the signed claims of a call between nodes. */
export const callHeader = 'x-sightline-call'
const toleranceMs = 60_000
const maxNonces = 200_000

type Call = { method: string; path: string }

/**
 * Signs calls between nodes, which have no body, with a key derived from CLUSTER_SECRET: method, path with its query,
 * the two nodes, the time, and the client whose request is passed on.
 */
export const createSigning = (secret: string, nodeId: string, now: () => number) => {
  const key = deriveKey(secret, 'sightline node calls')
  const nonces = new Map<string, number>()

  const signatureOf = ({ method, path }: Call, claims: string): Buffer =>
    createHmac('sha256', key).update([method, path, claims].join('\n')).digest()

  /** Whether a call is the first one with its nonce. Nonces are kept while signatures are valid, the newest 200,000. */
  const isFirst = ({ nonce, time }: Claims): boolean => {
    for (const [known, at] of nonces) {
      if (nonces.size < maxNonces && Math.abs(now() - at) <= toleranceMs) break
      nonces.delete(known)
    }
    if (nonces.has(nonce)) return false
    nonces.set(nonce, time)
    return true
  }

  return {
    /** The value of `callHeader`. */
    sign: (call: Call, to: string, client?: PassedClient): string => {
      const claims: Claims = { from: nodeId, to, time: now(), nonce: randomUUID(), ...(client && { origin: client }) }
      const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
      return `${text}.${signatureOf(call, text).toString('base64url')}`
    },
    /** Undefined unless another node has signed this call to this node within a minute, and it is the first time. */
    verify: (call: Call, header: unknown): Claims | undefined => {
      const [text = '', given = ''] = typeof header === 'string' ? header.split('.') : []
      const signature = Buffer.from(given, 'base64url')
      const expected = signatureOf(call, text)
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined
      const claims = parseJson(Claims, Buffer.from(text, 'base64url').toString())
      if (claims === undefined || claims.to !== nodeId || Math.abs(now() - claims.time) > toleranceMs) return undefined
      return isFirst(claims) ? claims : undefined
    },
  }
}

export type Signing = ReturnType<typeof createSigning>
