import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { hostNameOf, isLoopbackName } from '../http/hosts.ts'

export const passkeyFeature = 'passkeys'

/** The server as WebAuthn names it: `id`, the host name to which passkeys are bound, and the origin of the console. */
export type RelyingParty = { id: string; origin: string }

/**
 * By the name in the request, which `installHosts` has checked. Undefined where browsers refuse passkeys: over plain
 * HTTP, except on localhost, and at an IP address.
 */
export const relyingPartyOf = ({
  protocol,
  host,
}: Pick<FastifyRequest, 'protocol' | 'host'>): RelyingParty | undefined => {
  const id = hostNameOf(host)
  const origin = URL.parse(`${protocol}://${host}`)?.origin
  if (id === undefined || origin === undefined || isIP(id) !== 0) return undefined
  return protocol === 'https' || isLoopbackName(id) ? { id, origin } : undefined
}
