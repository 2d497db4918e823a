import { lookup } from 'node:dns/promises'
import { BlockList, connect, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { guarded } from '../guarded.ts'

export class ConnectFailure extends Error {
  readonly code: 'ACCESS_DENIED_ERR' | 'EHOSTUNREACH'
  constructor(code: 'ACCESS_DENIED_ERR' | 'EHOSTUNREACH') {
    super(code)
    this.code = code
  }
}

/** The code of a ConnectFailure; rethrows other errors. */
export const failureOfConnecting = (error: unknown): ConnectFailure['code'] => {
  if (error instanceof ConnectFailure) return error.code
  throw error
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

const ownAddresses = (): BlockList => {
  const found = new BlockList()
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((each) => each ?? [])) {
    found.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4')
  }
  return found
}

const alwaysForbidden = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  alwaysForbidden.addSubnet(network, prefix)
}
for (const [network, prefix] of [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2002::', 16],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  alwaysForbidden.addSubnet(network, prefix, 'ipv6')
}

/** Metadata services of clouds outside link-local. */
for (const address of ['100.100.100.200', '168.63.129.16']) alwaysForbidden.addAddress(address)
for (const address of ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254']) alwaysForbidden.addAddress(address, 'ipv6')

/** The host of a URL; an IPv6 address without its brackets. */
export const bareHostOf = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[|\]$/g, '')

/** Host and port of an http or https URL. */
export const endpointOf = (url: URL): { host: string; port: number; isSecure: boolean } => {
  const isSecure = url.protocol === 'https:'
  return { host: bareHostOf(url), port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port), isSecure }
}

/**
 * Private addresses are allowed, as cameras have them. Loopback and the addresses of this machine are allowed only if
 * configured. Link-local, multicast and reserved addresses, IPv6 addresses that embed IPv4, and the metadata services
 * of clouds never are. BlockList treats `::ffff:127.0.0.1` as the IPv4 address.
 */
export const isForbiddenAddress = (address: string, allowLoopback: boolean): boolean => {
  const version = isIP(address)
  if (version === 0) return true
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (loopback.check(address, family)) return !allowLoopback
  return alwaysForbidden.check(address, family) || (!allowLoopback && ownAddresses().check(address, family))
}

/** Every address of a host. Throws ConnectFailure if there is none, or if one of them is forbidden. */
export const resolveHost = async (host: string, allowLoopback: boolean): Promise<string[]> => {
  const found = await lookup(host, { all: true, order: 'ipv4first' }).catch(() => [])
  const addresses = found.map((each) => each.address)
  if (addresses.length === 0) throw new ConnectFailure('EHOSTUNREACH')
  if (addresses.some((address) => isForbiddenAddress(address, allowLoopback)))
    throw new ConnectFailure('ACCESS_DENIED_ERR')
  return addresses
}

/** Whether a host has a forbidden address now; false if it doesn't resolve. */
export const isForbiddenHost = (host: string, allowLoopback: boolean): Promise<boolean> =>
  resolveHost(host, allowLoopback).then(
    () => false,
    (error: unknown) => error instanceof ConnectFailure && error.code === 'ACCESS_DENIED_ERR',
  )

const connectMs = 7000

const connectTo = (
  address: string,
  port: number,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port, noDelay: true })
    const giveUp = guarded('address: abort', () => settle(undefined))
    const settle = (result: Socket | undefined) => {
      signal?.removeEventListener('abort', giveUp)
      socket.setTimeout(0)
      if (result === undefined) socket.destroy()
      resolve(result)
    }
    // This listener stays, so that an error before the caller adds one doesn't crash the server.
    socket.on(
      'error',
      guarded('address: error', () => settle(undefined)),
    )
    signal?.addEventListener('abort', giveUp, { once: true })
    socket.setTimeout(timeoutMs)
    socket.once(
      'timeout',
      guarded('address: silence', () => settle(undefined)),
    )
    socket.once(
      'connect',
      guarded('address: connection', () => settle(socket)),
    )
  })

/**
 * Connects to an address that was checked: a second lookup could return another (DNS rebinding). Throws ConnectFailure.
 */
export const connectOutside = async (
  host: string,
  port: number,
  allowLoopback: boolean,
  signal?: AbortSignal,
): Promise<Socket> => {
  for (const address of await resolveHost(host, allowLoopback)) {
    if (signal?.aborted === true) break
    const socket = await connectTo(address, port, connectMs, signal)
    if (socket !== undefined) return socket
  }
  throw new ConnectFailure('EHOSTUNREACH')
}
