import { CameraFailure, type CameraClient } from './client.ts'
import { maxTokenLength } from './profiles.ts'
import { type Services, namespaceOf, undefinedForFault } from './services.ts'
import { childrenOf, escapeXml, find, numberAt, textAt, type Element } from './xml.ts'

export type MediaProfile = {
  token: string
  name: string
  codec: string
  width: number
  height: number
  fps: number
  /** Bits per second. */
  bitrate: number
}

export type MediaService = {
  /** The profiles with video. */
  profiles: () => Promise<readonly MediaProfile[]>
  streamUri: (token: string) => Promise<string>
  snapshotUri: (token: string) => Promise<string>
}

const [media, media2] = [namespaceOf('media'), namespaceOf('media2')]
const schema = 'http://www.onvif.org/ver10/schema'
const maxProfiles = 12

const codecs = new Map([
  ['h264', 'h264'],
  ['h265', 'hevc'],
  ['jpeg', 'mjpeg'],
])

const videoOf = (profile: Element): MediaProfile | undefined => {
  const encoder = find(profile, 'VideoEncoderConfiguration') ?? find(profile, 'Configurations', 'VideoEncoder')
  const token = profile.attributes.get('token') ?? ''
  if (encoder === undefined || token === '' || token.length > maxTokenLength) return undefined
  const encoding = textAt(encoder, 'Encoding').toLowerCase()
  return {
    token,
    name: textAt(profile, 'Name'),
    codec: codecs.get(encoding) ?? encoding,
    width: Math.round(numberAt(encoder, 'Resolution', 'Width')),
    height: Math.round(numberAt(encoder, 'Resolution', 'Height')),
    fps: numberAt(encoder, 'RateControl', 'FrameRateLimit'),
    bitrate: numberAt(encoder, 'RateControl', 'BitrateLimit') * 1000,
  }
}

const createService = (call: CameraClient, url: URL, namespace: string): MediaService => {
  const ask = (name: string, content: string) => call(url, `<${name} xmlns="${namespace}">${content}</${name}>`)
  const tokenOf = (token: string) => `<ProfileToken>${escapeXml(token)}</ProfileToken>`
  const uriOf = (answer: Element): string => (find(answer, 'Uri') ?? find(answer, 'MediaUri', 'Uri'))?.text ?? ''
  const askStream = (protocol: string, token: string) =>
    ask('GetStreamUri', `<Protocol>${protocol}</Protocol>${tokenOf(token)}`)
  const setup =
    `<StreamSetup><Stream xmlns="${schema}">RTP-Unicast</Stream>` +
    `<Transport xmlns="${schema}"><Protocol>RTSP</Protocol></Transport></StreamSetup>`

  return {
    profiles: async () => {
      const answer = await ask('GetProfiles', namespace === media2 ? '<Type>VideoEncoder</Type>' : '')
      return childrenOf(answer, 'Profiles')
        .flatMap((profile) => videoOf(profile) ?? [])
        .slice(0, maxProfiles)
    },
    // `RTSP` is over TCP, which Media2 doesn't require of a camera.
    streamUri: async (token) => {
      if (namespace === media) return uriOf(await ask('GetStreamUri', setup + tokenOf(token)))
      return uriOf((await askStream('RTSP', token).catch(undefinedForFault)) ?? (await askStream('RtspUnicast', token)))
    },
    snapshotUri: async (token) => uriOf(await ask('GetSnapshotUri', tokenOf(token))),
  }
}

/** The newest media service of a camera. */
export const mediaServiceOf = (call: CameraClient, services: Services): MediaService => {
  if (services.media2 !== undefined) return createService(call, services.media2, media2)
  if (services.media !== undefined) return createService(call, services.media, media)
  throw new CameraFailure('The source has no video')
}
