import type { FastifyRequest } from 'fastify'
import { hostNameOf, type Hosts } from '../http/hosts.ts'
import { createThrottle, hostOf } from './throttle.ts'

/** The visitor for throttles. `isShared`: indistinguishable from others at the same address. */
type Visitor = { host: string; isShared: boolean }

const isLoopback = (host: string): boolean => host.startsWith('127.') || host === '0:0:0:0'

/** Visitors through the tunnel come from loopback: they count as one host, unless TRUST_PROXY has `loopback`. */
export const visitorOf = (request: FastifyRequest, hosts: Hosts): Visitor => {
  const host = hostOf(request.ip)
  const isShared = isLoopback(host) && hosts.isTunnel(hostNameOf(request.host) ?? '')
  return isShared ? { host: 'tunnel', isShared } : { host, isShared }
}

/** A host has 10 attempts, then one every half minute; all visitors through the tunnel together have ten times that. */
export const createVisitorThrottle = (now: () => number) => {
  const single = createThrottle(10, 30_000, now)
  const shared = createThrottle(100, 3000, now)
  const of = ({ isShared }: Visitor) => (isShared ? shared : single)
  return {
    take: (visitor: Visitor): number | undefined => of(visitor).take(visitor.host),
    giveBack: (visitor: Visitor): void => of(visitor).giveBack(visitor.host),
  }
}
