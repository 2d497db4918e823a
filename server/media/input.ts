import type { Gateway } from './gateway.ts'
import { openHttpGateway } from './http-gateway.ts'
import { openRtspGateway } from './rtsp-gateway.ts'
import type { NetworkSource } from './source.ts'

export type Input = { args: string[]; gateway: Gateway }

const webFormats = 'hls,mpegts,mpjpeg,mjpeg,jpeg_pipe,flv,live_flv,mov,mp4,matroska,webm,h264,hevc'

const userInfo = (source: NetworkSource): string => {
  if (source.username === '' && source.password === '') return ''
  return `${encodeURIComponent(source.username)}:${encodeURIComponent(source.password)}@`
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Only plain HTTP or RTSP by the gateway, no `file:`, `concat:`, `httpproxy:` or `tls:`; demuxers of video only. */
export const openInput = async (source: NetworkSource, allowLoopback: boolean): Promise<Input> => {
  if (source.scheme === 'rtsp' || source.scheme === 'rtsps') {
    const gateway = await openRtspGateway(source, allowLoopback)
    const address = `rtsp://${userInfo(source)}127.0.0.1:${gateway.port}${source.path}`
    return {
      gateway,
      args: [
        '-protocol_whitelist',
        'tcp',
        '-rtsp_transport',
        'tcp',
        '-timeout',
        '10000000',
        '-f',
        'rtsp',
        '-i',
        address,
      ],
    }
  }
  const gateway = await openHttpGateway(allowLoopback)
  const address = new URL(
    `${source.scheme}://${userInfo(source)}${bracketed(source.host)}:${source.port}${source.path}`,
  )
  return {
    gateway,
    args: [
      '-protocol_whitelist',
      'http,tcp,crypto,data',
      '-format_whitelist',
      webFormats,
      '-rw_timeout',
      '10000000',
      '-i',
      gateway.inward(address) ?? address.href,
    ],
  }
}
