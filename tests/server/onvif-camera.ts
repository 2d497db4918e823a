import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { DiscoveryNetwork } from '../../server/onvif/discovery.ts'
import { type Announcer, createOnvifDevice, type DeviceOptions, type OnvifDevice } from '../fixtures/onvif-device.ts'
import { serve } from './video.ts'

export type CameraOptions = DeviceOptions & { tls?: TlsOptions }

type OnvifCamera = Omit<OnvifDevice, 'listener'> & {
  /** The URL of the device service. */
  address: string
  port: number
}

/** A camera on this machine for the duration of a test, by HTTPS if it gets a certificate. */
export const startOnvifCamera = async ({ tls, ...options }: CameraOptions = {}): Promise<OnvifCamera> => {
  const { listener, ...device } = createOnvifDevice(options)
  const root = await serve(listener, tls)
  return { ...device, address: `${root}/onvif/device_service`, port: Number(new URL(root).port) }
}

const group = '239.255.255.250'

/** A network on loopback with devices that answer probes; it has its own multicast port, as tests run in parallel. */
export const startCameraNetwork = async (...announcers: readonly Announcer[]) => {
  const probes: string[] = []
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  socket.bind(0)
  await once(socket, 'listening')
  socket.addMembership(group, '127.0.0.1')
  socket.on('message', (message, { address, port }) => {
    const probe = message.toString()
    probes.push(probe)
    const [, id = ''] = /<a:MessageID>([^<]*)</.exec(probe) ?? []
    for (const announcer of announcers) for (const answer of announcer(id)) socket.send(answer, port, address)
  })
  onTestFinished(() => void socket.close())
  const network: DiscoveryNetwork = { interfaces: () => ['127.0.0.1'], port: socket.address().port, waitMs: 700 }
  return { network, probes }
}
