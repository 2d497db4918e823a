import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { TlsOptions } from 'node:tls'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { DiscoveryNetwork } from '../../server/onvif/discovery.ts'
import type { Guard } from './guard.ts'
import { serve } from './video.ts'

const soap = (body: string, header = ''): string =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://www.w3.org/2003/05/soap-envelope" ' +
  'xmlns:tt="http://www.onvif.org/ver10/schema" xmlns:tds="http://www.onvif.org/ver10/device/wsdl" ' +
  'xmlns:trt="http://www.onvif.org/ver10/media/wsdl" xmlns:tr2="http://www.onvif.org/ver20/media/wsdl" ' +
  'xmlns:ter="http://www.onvif.org/ver10/error" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" ' +
  'xmlns:wsa="http://schemas.xmlsoap.org/ws/2004/08/addressing">' +
  `<SOAP-ENV:Header>${header}</SOAP-ENV:Header><SOAP-ENV:Body>${body}</SOAP-ENV:Body></SOAP-ENV:Envelope>`

export const fault = (subcode: string): string =>
  soap(
    '<SOAP-ENV:Fault><SOAP-ENV:Code><SOAP-ENV:Value>SOAP-ENV:Sender</SOAP-ENV:Value><SOAP-ENV:Subcode>' +
      `<SOAP-ENV:Value>${subcode}</SOAP-ENV:Value></SOAP-ENV:Subcode></SOAP-ENV:Code><SOAP-ENV:Reason>` +
      '<SOAP-ENV:Text xml:lang="en">No</SOAP-ENV:Text></SOAP-ENV:Reason></SOAP-ENV:Fault>',
  )

type Profile = { token: string; encoding: string; width: number; height: number; uri: string }

export type CameraOptions = {
  login?: string
  password?: string
  /** Asks by HTTP instead of taking the digest of WS-Security. */
  guard?: Guard
  /** How far its clock is ahead. */
  clockAheadMs?: number
  /** With Media2, which knows H.265; without it and GetServices an older camera. */
  isOld?: boolean
  /** The host in all addresses that it gives. */
  saysHost?: string
  profiles?: readonly Profile[]
  /** Serves HTTPS. */
  tls?: TlsOptions
  /** What it answers instead, by the name of the request; undefined answers as a camera does. */
  answer?: (request: string, response: ServerResponse) => string | undefined
}

export type OnvifCamera = {
  /** Where its device service is. */
  address: string
  port: number
  /** Names of the requests that came, and whether each was allowed. */
  asked: [request: string, outcome: 'open' | 'passed' | 'refused'][]
  /** Everything that was sent to it. */
  received: string[]
}

const serveTls = async (listener: RequestListener, tls: TlsOptions): Promise<string> => {
  const server = createTlsServer(tls, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `https://127.0.0.1:${address.port}`
}

const tagged = (body: string, name: string): string =>
  new RegExp(`<${name}\\b[^>]*>([^<]*)</${name}>`).exec(body)?.[1] ?? ''

const encoder = ({ encoding, width, height }: Profile, outer: string): string =>
  `<${outer} token="e"><tt:Name>e</tt:Name><tt:Encoding>${encoding}</tt:Encoding><tt:Resolution>` +
  `<tt:Width>${width}</tt:Width><tt:Height>${height}</tt:Height></tt:Resolution>` +
  `<tt:RateControl><tt:FrameRateLimit>25</tt:FrameRateLimit><tt:BitrateLimit>2048</tt:BitrateLimit></tt:RateControl></${outer}>`

const mediaUri = (request: string, uri: string): string =>
  `<trt:${request}Response><trt:MediaUri><tt:Uri>${uri}</tt:Uri></trt:MediaUri></trt:${request}Response>`

const usualProfiles = (host: string): Profile[] => [
  { token: 'P1', encoding: 'H265', width: 2560, height: 1440, uri: `rtsp://${host}:554/main?a=1&amp;b=2` },
  { token: 'P2', encoding: 'H264', width: 640, height: 360, uri: `rtsp://${host}:554/sub` },
]

/** A camera that speaks ONVIF as real ones do, over HTTP. */
export const startOnvifCamera = async (options: CameraOptions = {}): Promise<OnvifCamera> => {
  const { login = '', password = '', guard, clockAheadMs = 0, isOld = false, saysHost = '127.0.0.1' } = options
  const asked: OnvifCamera['asked'] = []
  const received: string[] = []
  const nonces = new Set<string>()
  let root = ''
  const now = () => Date.now() + clockAheadMs

  const hasToken = (body: string): boolean => {
    const [nonce, created] = [tagged(body, 'Nonce'), tagged(body, 'Created')]
    const digest = createHash('sha1').update(Buffer.from(nonce, 'base64')).update(created).update(password)
    const isFresh = Math.abs(Date.parse(created) - now()) < 60_000 && !nonces.has(nonce)
    nonces.add(nonce)
    return isFresh && tagged(body, 'Username') === login && tagged(body, 'Password') === digest.digest('base64')
  }

  const profiles = options.profiles ?? usualProfiles(saysHost)
  const service = (path: string) => `${new URL(root).protocol}//${saysHost}:${new URL(root).port}${path}`

  const answerTo = (request: string, body: string): string | undefined => {
    const at = (parts: readonly [string, number][]) => parts.map(([name, value]) => `<tt:${name}>${value}</tt:${name}>`)
    const time = new Date(now())
    const profile = profiles.find(({ token }) => token === tagged(body, 'ProfileToken'))
    const isNew = body.includes('ver20/media')
    switch (request) {
      case 'GetSystemDateAndTime':
        return (
          '<tds:GetSystemDateAndTimeResponse><tds:SystemDateAndTime><tt:UTCDateTime><tt:Time>' +
          at([
            ['Hour', time.getUTCHours()],
            ['Minute', time.getUTCMinutes()],
            ['Second', time.getUTCSeconds()],
          ]).join('') +
          '</tt:Time><tt:Date>' +
          at([
            ['Year', time.getUTCFullYear()],
            ['Month', time.getUTCMonth() + 1],
            ['Day', time.getUTCDate()],
          ]).join('') +
          '</tt:Date></tt:UTCDateTime></tds:SystemDateAndTime></tds:GetSystemDateAndTimeResponse>'
        )
      case 'GetDeviceInformation':
        return (
          '<tds:GetDeviceInformationResponse><tds:Manufacturer>Acme</tds:Manufacturer>' +
          '<tds:Model>Dome &amp; 4</tds:Model>' +
          '<tds:FirmwareVersion>1.2.3</tds:FirmwareVersion><tds:SerialNumber>SN42</tds:SerialNumber>' +
          '<tds:HardwareId>7</tds:HardwareId></tds:GetDeviceInformationResponse>'
        )
      case 'GetServices':
        return isOld
          ? undefined
          : `<tds:GetServicesResponse>${[
              ['http://www.onvif.org/ver10/media/wsdl', '/onvif/media'],
              ['http://www.onvif.org/ver20/media/wsdl', '/onvif/media2'],
            ]
              .map(
                ([space = '', path = '']) =>
                  `<tds:Service><tds:Namespace>${space}</tds:Namespace>` +
                  `<tds:XAddr>${service(path)}</tds:XAddr></tds:Service>`,
              )
              .join('')}</tds:GetServicesResponse>`
      case 'GetCapabilities':
        return (
          '<tds:GetCapabilitiesResponse><tds:Capabilities><tt:Media>' +
          `<tt:XAddr>${service('/onvif/media')}</tt:XAddr></tt:Media></tds:Capabilities></tds:GetCapabilitiesResponse>`
        )
      case 'GetProfiles':
        return isNew
          ? `<tr2:GetProfilesResponse>${profiles
              .map(
                (each) =>
                  `<tr2:Profiles token="${each.token}" fixed="true"><tr2:Name>${each.token}</tr2:Name>` +
                  `<tr2:Configurations>${encoder(each, 'tr2:VideoEncoder')}</tr2:Configurations></tr2:Profiles>`,
              )
              .join('')}<tr2:Profiles token="meta"><tr2:Name>meta</tr2:Name></tr2:Profiles></tr2:GetProfilesResponse>`
          : `<trt:GetProfilesResponse>${profiles
              .map(
                (each) =>
                  `<trt:Profiles token="${each.token}"><tt:Name>${each.token}</tt:Name>` +
                  `${encoder(each, 'tt:VideoEncoderConfiguration')}</trt:Profiles>`,
              )
              .join('')}</trt:GetProfilesResponse>`
      case 'GetStreamUri':
        return isNew
          ? `<tr2:GetStreamUriResponse><tr2:Uri>${profile?.uri}</tr2:Uri></tr2:GetStreamUriResponse>`
          : mediaUri('GetStreamUri', profile?.uri ?? '')
      case 'GetSnapshotUri':
        return isNew
          ? `<tr2:GetSnapshotUriResponse><tr2:Uri>${service('/snap.jpg')}</tr2:Uri></tr2:GetSnapshotUriResponse>`
          : mediaUri('GetSnapshotUri', service('/snap.jpg'))
      default:
        return undefined
    }
  }

  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(incoming)
    received.push(`${incoming.url} ${JSON.stringify(incoming.headers)} ${body}`)
    const request = /<(Get\w+)\b/.exec(body)?.[1] ?? ''
    const send = (status: number, content: string) => {
      response.writeHead(status, { 'content-type': 'application/soap+xml' }).end(content)
    }
    const own = options.answer?.(request, response)
    if (own !== undefined) return send(200, own)
    if (response.headersSent) return undefined
    if (request !== 'GetSystemDateAndTime' && login !== '') {
      const challenge = guard?.check('POST', incoming.url ?? '', incoming.headers.authorization)
      if (challenge !== undefined) {
        asked.push([request, 'refused'])
        response.writeHead(401, { 'www-authenticate': challenge }).end()
        return undefined
      }
      if (guard === undefined && !hasToken(body)) {
        asked.push([request, 'refused'])
        return send(400, fault('ter:NotAuthorized'))
      }
    }
    asked.push([request, request === 'GetSystemDateAndTime' ? 'open' : 'passed'])
    const content = answerTo(request, body)
    return content === undefined ? send(500, fault('ter:ActionNotSupported')) : send(200, soap(content))
  }

  const listener: RequestListener = (incoming, response) => {
    respond(incoming, response).catch(() => response.destroy())
  }
  root = await (options.tls === undefined ? serve(listener) : serveTls(listener, options.tls))
  return { address: `${root}/onvif/device_service`, port: Number(new URL(root).port), asked, received }
}

const group = '239.255.255.250'

/** Answers a probe: with a message, given the id of the probe, or several. */
export type Announcer = (id: string) => readonly string[]

export const probeMatch = (id: string, match: { uuid: string; xaddrs: string; scopes?: string }): string =>
  soap(
    '<d:ProbeMatches><d:ProbeMatch><wsa:EndpointReference><wsa:Address>' +
      `urn:uuid:${match.uuid}</wsa:Address></wsa:EndpointReference><d:Types>dn:NetworkVideoTransmitter</d:Types>` +
      `<d:Scopes>${match.scopes ?? ''}</d:Scopes><d:XAddrs>${match.xaddrs}</d:XAddrs>` +
      '<d:MetadataVersion>1</d:MetadataVersion></d:ProbeMatch></d:ProbeMatches>',
    `<wsa:RelatesTo>${id}</wsa:RelatesTo>`,
  )

/**
 * A network on loopback with a multicast port of its own, as many tests run on one machine, and devices that answer
 * probes in it.
 */
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
