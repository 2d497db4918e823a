import type { Duplex } from 'node:stream'
import { connectSource, type Gateway } from './gateway.ts'
import { openHttpGateway } from './http-gateway.ts'
import { openRtspGateway } from './rtsp-gateway.ts'
import type { NetworkSource } from './source.ts'

export type Input = { args: string[]; gateway: Gateway }

const webFormats = 'hls,mpegts,mpjpeg,mjpeg,jpeg_pipe,flv,live_flv,mov,mp4,matroska,webm,h264,hevc'

const argumentsFor = (address: string, isRtsp: boolean): string[] => {
  const before = isRtsp
    ? ['-protocol_whitelist', 'tcp', '-rtsp_transport', 'tcp', '-timeout', '10000000', '-f', 'rtsp']
    : ['-protocol_whitelist', 'http,tcp,crypto,data', '-format_whitelist', webFormats, '-rw_timeout', '10000000']
  return [...before, '-i', address]
}

/**
 * Only plain HTTP or RTSP by the gateway, no `file:`, `concat:`, `httpproxy:` or `tls:`; demuxers of video only. The
 * arguments have no secrets: local users can read them.
 */
export const openInput = async (source: NetworkSource, allowLoopback: boolean, first?: Duplex): Promise<Input> => {
  const isRtsp = source.scheme === 'rtsp' || source.scheme === 'rtsps'
  const gateway = await (isRtsp ? openRtspGateway : openHttpGateway)(source, allowLoopback, first)
  return { gateway, args: argumentsFor(gateway.address, isRtsp) }
}

/** Connects before there is an ffmpeg, so that a source that is away costs none. Throws ConnectFailure. */
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
