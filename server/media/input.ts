import type { Duplex } from 'node:stream'
import { connectSource, type Gateway } from './gateway.ts'
import { openHttpGateway } from './http-gateway.ts'
import { openRtspGateway } from './rtsp-gateway.ts'
import type { NetworkSource } from './source.ts'

export type Input = { args: string[]; gateway: Gateway }

const webFormats = 'hls,mpegts,mpjpeg,mjpeg,jpeg_pipe,flv,live_flv,mov,mp4,matroska,webm,h264,hevc'

const argumentsFor = (url: string, isRtsp: boolean): string[] => {
  const before = isRtsp
    ? ['-protocol_whitelist', 'tcp', '-rtsp_transport', 'tcp', '-timeout', '10000000', '-f', 'rtsp']
    : ['-protocol_whitelist', 'http,tcp,crypto,data', '-format_whitelist', webFormats, '-rw_timeout', '10000000']
  return [...before, '-i', url]
}

/**
 * Arguments with which ffmpeg reads a source through a gateway: only plain HTTP or RTSP, no `file:`, `concat:`,
 * `httpproxy:` or `tls:`, and only demuxers of video. They contain no secrets, as local users can read them. `first`:
 * an open connection to the source.
 */
export const openInput = async (source: NetworkSource, allowLoopback: boolean, first?: Duplex): Promise<Input> => {
  const isRtsp = source.scheme === 'rtsp' || source.scheme === 'rtsps'
  const gateway = await (isRtsp ? openRtspGateway : openHttpGateway)(source, allowLoopback, first)
  return { gateway, args: argumentsFor(gateway.url, isRtsp) }
}

/** Connects before ffmpeg is started, so that an unreachable source starts none. Throws ConnectFailure. */
export const openConnectedInput = async (
  source: NetworkSource,
  allowLoopback: boolean,
  signal: AbortSignal,
): Promise<Input> => {
  const { scheme, host, port } = source
  const first = await connectSource(host, port, scheme === 'rtsps' || scheme === 'https', allowLoopback, signal)
  return openInput(source, allowLoopback, first).catch((error: unknown) => {
    first.destroy()
    throw error
  })
}
