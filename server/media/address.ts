import { lookup } from 'node:dns/promises'
import { BlockList, connect, isIP, type Socket } from 'node:net'

/** Why no connection was made, in the words of the catalogue (spec.md §8). */
export class ConnectFailure extends Error {
  readonly code: 'ACCESS_DENIED_ERR' | 'EHOSTUNREACH'
  constructor(code: 'ACCESS_DENIED_ERR' | 'EHOSTUNREACH') {
    super(code)
    this.code = code
  }
}

const inside = new BlockList()
inside.addSubnet('127.0.0.0', 8)
inside.addAddress('::1', 'ipv6')

const never = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  never.addSubnet(network, prefix)
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
  never.addSubnet(network, prefix, 'ipv6')
}

/** Where clouds tell a machine its own secrets, on addresses that are not link-local. */
for (const address of ['100.100.100.200', '168.63.129.16']) never.addAddress(address)
for (const address of ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254']) never.addAddress(address, 'ipv6')

/**
 * Cameras live on private addresses, so those are allowed; loopback only where the configuration says so; link-local,
 * multicast and reserved ones, those that smuggle an IPv4 address inside an IPv6 one, and those where clouds keep the secrets of
 * machines, never (playback.md, Sources). `::ffff:127.0.0.1` counts as the IPv4 address that it means; BlockList sees to it.
 */
export const isForbiddenAddress = (address: string, allowLoopback: boolean): boolean => {
  const version = isIP(address)
  if (version === 0) return true
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (inside.check(address, family)) return !allowLoopback
  return never.check(address, family)
}

/** Every address of a host, none of them forbidden. Throws ConnectFailure: one forbidden address among them refuses the host. */
export const resolveHost = async (host: string, allowLoopback: boolean): Promise<string[]> => {
  const found = await lookup(host, { all: true, order: 'ipv4first' }).catch(() => [])
  const addresses = found.map((each) => each.address)
  if (addresses.length === 0) throw new ConnectFailure('EHOSTUNREACH')
  if (addresses.some((address) => isForbiddenAddress(address, allowLoopback))) throw new ConnectFailure('ACCESS_DENIED_ERR')
  return addresses
}

const connectTo = (address: string, port: number, timeoutMs: number): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port, noDelay: true })
    const give = (result: Socket | undefined) => {
      socket.removeAllListeners()
      socket.setTimeout(0)
      if (result === undefined) socket.on('error', () => undefined).destroy()
      resolve(result)
    }
    socket.setTimeout(timeoutMs, () => give(undefined))
    socket.once('error', () => give(undefined))
    socket.once('connect', () => give(socket))
  })

/** Resolves, checks what was resolved and connects to exactly that, so that no second look-up can answer otherwise. */
export const connectOutside = async (host: string, port: number, allowLoopback: boolean): Promise<Socket> => {
  for (const address of await resolveHost(host, allowLoopback)) {
    const socket = await connectTo(address, port, 7000)
    if (socket !== undefined) return socket
  }
  throw new ConnectFailure('EHOSTUNREACH')
}
