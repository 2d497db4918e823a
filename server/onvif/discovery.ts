import { randomUUID } from 'node:crypto'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { guarded } from '../guarded.ts'
import { isForbiddenAddress } from '../media/address.ts'
import { type FoundDevice, probeMessage, readMatches } from './probe-match.ts'

export type DiscoveryNetwork = {
  /** This machine's IPv4 addresses, one for each network that is searched. */
  interfaces: () => readonly string[]
  port: number
  /** How long answers are awaited after the second probe. */
  waitMs: number
}

const multicastAddress = '239.255.255.250'
const maxBytes = 16 * 1024
const maxDevices = 512
const maxPerSender = 16
/** The probe is sent again after this, as a datagram may get lost. */
const repeatMs = 500

export const localNetworks: DiscoveryNetwork = {
  interfaces: () =>
    Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address),
  port: 3702,
  waitMs: 4000,
}

type Receive = (message: Buffer, sender: RemoteInfo) => void

/** Undefined for an interface without multicast. */
const openSocket = async (address: string, receive: Receive): Promise<Socket | undefined> => {
  const socket = createSocket('udp4')
  socket.on('error', () => undefined)
  socket.on('message', guarded('onvif: datagram', receive))
  try {
    const listening = once(socket, 'listening')
    socket.bind(0, address)
    await listening
    socket.setMulticastInterface(address)
    socket.setMulticastTTL(1)
    return socket
  } catch {
    socket.close()
    return undefined
  }
}

/**
 * Searches the local networks for cameras by WS-Discovery (IPv4). The host of a camera is the sender of its answer.
 * Answers may be hostile, so their number is limited, for each sender and in all.
 */
export const discover = async (
  { interfaces, port, waitMs }: DiscoveryNetwork,
  allowLoopback: boolean,
  signal: AbortSignal,
): Promise<FoundDevice[]> => {
  const id = randomUUID()
  const found = new Map<string, FoundDevice>()
  const senders = new Map<string, number>()
  const receive: Receive = (message, { address }) => {
    const count = senders.get(address) ?? 0
    if (message.length > maxBytes || count >= maxPerSender || (count === 0 && senders.size >= maxDevices)) return
    senders.set(address, count + 1)
    if (isForbiddenAddress(address, allowLoopback)) return
    for (const device of readMatches(message.toString('utf8'), id, address)) {
      if (found.size < maxDevices) found.set(device.id, found.get(device.id) ?? device)
    }
  }
  const opened = await Promise.all([...new Set(interfaces())].map((address) => openSocket(address, receive)))
  const sockets = opened.flatMap((socket) => socket ?? [])
  try {
    const probe = Buffer.from(probeMessage(id))
    const send = () => {
      for (const socket of sockets) socket.send(probe, port, multicastAddress, () => undefined)
    }
    send()
    await pause(Math.min(repeatMs, waitMs / 2), undefined, { signal }).catch(() => undefined)
    send()
    await pause(waitMs, undefined, { signal }).catch(() => undefined)
  } finally {
    for (const socket of sockets) socket.close()
  }
  return [...found.values()]
}
