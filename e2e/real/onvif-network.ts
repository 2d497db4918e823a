import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { createOnvifDevice, type DeviceOptions, probeMatch } from '../../tests/fixtures/onvif-device.ts'

export interface NetworkCamera {
  readonly host: string
  readonly port: number
  /** Whether this machine has a network in which the camera can be discovered; without one its address is typed. */
  readonly isAnnounced: boolean
  stop(): void
}

const group = '239.255.255.250'

const ownAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

/** A snapshot of a camera. */
const snapshot = (): Buffer =>
  spawnSync(
    'ffmpeg',
    '-nostdin -v error -f lavfi -i testsrc2=s=640x360 -frames:v 1 -pix_fmt yuvj420p -f mjpeg pipe:1'.split(' '),
  ).stdout

/** An ONVIF camera in the network of this machine that answers probes at port 3702. */
export async function startNetworkCamera(name: string, options: DeviceOptions): Promise<NetworkCamera> {
  const own = ownAddress()
  const host = own ?? '127.0.0.1'
  const { listener } = createOnvifDevice({ ...options, namedHost: host, snapshot: snapshot() })
  const server = createServer(listener).listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  socket.on('message', (message, sender) => {
    const [, id = ''] = /<a:MessageID>([^<]*)</.exec(message.toString()) ?? []
    const scopes = `onvif://www.onvif.org/name/${encodeURIComponent(name)} onvif://www.onvif.org/hardware/Dome`
    const xaddrs = `http://${host}:${port}/onvif/device_service`
    socket.send(probeMatch(id, { uuid: name, xaddrs, scopes }), sender.port, sender.address)
  })
  socket.bind(3702)
  await once(socket, 'listening')
  if (own !== undefined) socket.addMembership(group, own)
  return {
    host,
    port,
    isAnnounced: own !== undefined,
    stop() {
      socket.close()
      server.closeAllConnections()
      server.close()
    },
  }
}
