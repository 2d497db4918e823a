import type { FastifyRequest } from 'fastify'
import { hostOfIp } from './host-of-ip.ts'

/** The key of per-caller limits: the user; without one, share and host, or host. */
export const callerKey = ({ caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): string => {
  if (caller.kind === 'user') return `user ${caller.login}`
  return caller.kind === 'share' ? `share ${caller.streamUid} ${hostOfIp(ip)}` : `host ${hostOfIp(ip)}`
}

/** The key of a viewer: a caller at one host. User-Agent doesn't count, as clients choose it. */
export const viewerKey = (request: Pick<FastifyRequest, 'caller' | 'ip'>): string =>
  `${callerKey(request)} at ${hostOfIp(request.ip)}`
