import type { FastifyRequest } from 'fastify'
import { hostNameOf, type Hosts } from '../http/hosts.ts'
import { createThrottle, hostOf } from './throttle.ts'

/** Who asks, for throttles. `isShared`: nobody can tell this visitor from the others who come the same way. */
type Visitor = { host: string; isShared: boolean }

const isLoopback = (host: string): boolean => host.startsWith('127.') || host === '0:0:0:0'

/**
 * Those who come by the tunnel all come from this machine, and are one host of their own: they neither use up the
 * attempts of who sits here, nor make it a host that a login came from. Where TRUST_PROXY has `loopback` and the
 * tunnel's far end says who they are, each is their own.
 */
export const visitorOf = (request: FastifyRequest, hosts: Hosts): Visitor => {
  const host = hostOf(request.ip)
  const isShared = isLoopback(host) && hosts.isTunnel(hostNameOf(request.host) ?? '')
  return isShared ? { host: 'tunnel', isShared } : { host, isShared }
}

/** A host has 10 attempts and one more each half minute; all who come by the tunnel have ten times that together. */
export const createVisitorThrottle = (now: () => number) => {
  const single = createThrottle(10, 30_000, now)
  const shared = createThrottle(100, 3000, now)
  const of = ({ isShared }: Visitor) => (isShared ? shared : single)
  return {
    take: (visitor: Visitor): number | undefined => of(visitor).take(visitor.host),
    giveBack: (visitor: Visitor): void => of(visitor).giveBack(visitor.host),
  }
}
