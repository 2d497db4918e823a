import type { FastifyRequest } from 'fastify'
import type { Hosts } from '../http/hosts.ts'
import { createSharedThrottle, type ThrottleNeeds } from './shared-throttle.ts'
import { hostOfIp } from '../http/host-of-ip.ts'

/** The visitor for throttles. `isShared`: indistinguishable from others at the same address. */
type Visitor = { host: string; isShared: boolean }

/** `hostOfIp` names ::1 by its network. */
const isLoopback = (host: string): boolean => host.startsWith('127.') || host === '0:0:0:0'

/**
 * Visitors through the tunnel come from loopback, under any name that they send: while it is open, whoever comes from
 * there counts as one host, unless TRUST_PROXY has `loopback` and the far end says who they are.
 */
export const visitorOf = (request: FastifyRequest, hosts: Hosts): Visitor => {
  const host = hostOfIp(request.ip)
  const isShared = isLoopback(host) && hosts.hasTunnel()
  return isShared ? { host: 'tunnel', isShared } : { host, isShared }
}

/**
 * A host has 10 attempts, then one every half minute; all visitors through the tunnel together have ten times that.
 * `name`: what is attempted.
 */
export const createVisitorThrottle = (context: ThrottleNeeds, name: string) => {
  const single = createSharedThrottle(context, { name: `${name} host`, capacity: 10, refillMs: 30_000 })
  const shared = createSharedThrottle(context, { name: `${name} tunnel`, capacity: 100, refillMs: 3000 })
  const of = ({ isShared }: Visitor) => (isShared ? shared : single)
  return {
    take: (visitor: Visitor): Promise<number | undefined> => of(visitor).take(visitor.host),
    giveBack: (visitor: Visitor): Promise<void> => of(visitor).giveBack(visitor.host),
  }
}
