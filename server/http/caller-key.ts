import type { FastifyRequest } from 'fastify'
import { hostOf } from '../users/throttle.ts'

/** Who a limit counts by: a user wherever they are; whoever comes by a share, or by nothing, by their host. */
export const callerKey = ({ caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): string => {
  if (caller.kind === 'user') return `user ${caller.login}`
  return caller.kind === 'share' ? `share ${caller.streamUid} ${hostOf(ip)}` : `host ${hostOf(ip)}`
}

/** The same person at one host: what a viewer is. A browser says anything of itself, so that doesn't count. */
export const viewerKey = (request: Pick<FastifyRequest, 'caller' | 'ip'>): string =>
  `${callerKey(request)} at ${hostOf(request.ip)}`
