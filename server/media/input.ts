import type { Gateway } from './gateway.ts'
import { openHttpGateway } from './http-gateway.ts'
import { openRtspGateway } from './rtsp-gateway.ts'
import type { NetworkSource } from './source.ts'

export type Input = { args: string[]; gateway: Gateway }

const webFormats = 'hls,mpegts,mpjpeg,mjpeg,jpeg_pipe,flv,live_flv,mov,mp4,matroska,webm,h264,hevc'

/**
 * Only plain HTTP or RTSP by the gateway, no `file:`, `concat:`, `httpproxy:` or `tls:`; demuxers of video only. The
 * arguments have no secrets: local users can read them.
 */
export const openInput = async (source: NetworkSource, allowLoopback: boolean): Promise<Input> => {
  if (source.scheme === 'rtsp' || source.scheme === 'rtsps') {
    const gateway = await openRtspGateway(source, allowLoopback)
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
        gateway.address,
      ],
    }
  }
  const gateway = await openHttpGateway(source, allowLoopback)
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
      gateway.address,
    ],
  }
}
