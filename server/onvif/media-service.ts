import { CameraFailure, type CameraClient } from './client.ts'
import { deviceNamespace } from './soap.ts'
import { childrenOf, escapeXml, find, numberAt, plainText, textAt, type Element } from './xml.ts'

export type MediaProfile = {
  token: string
  name: string
  codec: string
  width: number
  height: number
  fps: number
  bitrate: number
}

export type MediaService = {
  /** The profiles with video. */
  profiles: () => Promise<readonly MediaProfile[]>
  streamUri: (token: string) => Promise<string>
  snapshotUri: (token: string) => Promise<string>
}

const media = 'http://www.onvif.org/ver10/media/wsdl'
/** Media2, the only media service with H.265. */
const media2 = 'http://www.onvif.org/ver20/media/wsdl'
const schema = 'http://www.onvif.org/ver10/schema'
const maxProfiles = 12

const codecs = new Map([
  ['h264', 'h264'],
  ['h265', 'hevc'],
  ['jpeg', 'mjpeg'],
])

/** A service at the host that was called. Its port is that of the XAddr only if the XAddr has this host, too. */
const serviceAt = (text: string, deviceUrl: URL): URL | undefined => {
  const named = URL.parse(text.trim())
  if (named === null || (named.protocol !== 'http:' && named.protocol !== 'https:')) return undefined
  const isSameHost = named.hostname === deviceUrl.hostname && named.protocol === deviceUrl.protocol
  return new URL(`${named.pathname}${named.search}`, isSameHost ? named.origin : deviceUrl.origin)
}

const videoOf = (profile: Element): MediaProfile | undefined => {
  const encoder = find(profile, 'VideoEncoderConfiguration') ?? find(profile, 'Configurations', 'VideoEncoder')
  const token = profile.attributes.get('token') ?? ''
  if (encoder === undefined || token === '' || token.length > 500) return undefined
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

/** For `catch`: undefined in place of a fault; other failures are rethrown. */
export const undefinedForFault = (error: unknown): undefined => {
  if (error instanceof CameraFailure && error.reason === 'The camera answered with a fault') return undefined
  throw error
}

const createService = (call: CameraClient, url: URL, space: string): MediaService => {
  const ask = (name: string, content: string) => call(url, `<${name} xmlns="${space}">${content}</${name}>`)
  const tokenOf = (token: string) => `<ProfileToken>${escapeXml(token)}</ProfileToken>`
  const uriOf = (answer: Element): string => (find(answer, 'Uri') ?? find(answer, 'MediaUri', 'Uri'))?.text ?? ''
  const askStream = (protocol: string, token: string) =>
    ask('GetStreamUri', `<Protocol>${protocol}</Protocol>${tokenOf(token)}`)
  const setup =
    `<StreamSetup><Stream xmlns="${schema}">RTP-Unicast</Stream>` +
    `<Transport xmlns="${schema}"><Protocol>RTSP</Protocol></Transport></StreamSetup>`

  return {
    profiles: async () => {
      const answer = await ask('GetProfiles', space === media2 ? '<Type>VideoEncoder</Type>' : '')
      return childrenOf(answer, 'Profiles')
        .flatMap((profile) => videoOf(profile) ?? [])
        .slice(0, maxProfiles)
    },
    streamUri: async (token) => {
      if (space === media) return uriOf(await ask('GetStreamUri', setup + tokenOf(token)))
      return uriOf((await askStream('RTSP', token).catch(undefinedForFault)) ?? (await askStream('RtspUnicast', token)))
    },
    snapshotUri: async (token) => uriOf(await ask('GetSnapshotUri', tokenOf(token))),
  }
}

/** The newest media service of a camera. Cameras without GetServices list theirs among the capabilities. */
export const mediaServiceOf = async (call: CameraClient, deviceUrl: URL): Promise<MediaService> => {
  const includes = '<IncludeCapability>false</IncludeCapability>'
  const services = await call(deviceUrl, `<GetServices xmlns="${deviceNamespace}">${includes}</GetServices>`).catch(
    undefinedForFault,
  )
  for (const space of [media2, media]) {
    const named = childrenOf(services, 'Service').find(
      (service) => plainText(find(service, 'Namespace')?.text) === space,
    )
    const url = serviceAt(find(named, 'XAddr')?.text ?? '', deviceUrl)
    if (url !== undefined) return createService(call, url, space)
  }
  const request = `<GetCapabilities xmlns="${deviceNamespace}"><Category>Media</Category></GetCapabilities>`
  const capabilities = await call(deviceUrl, request)
  const url = serviceAt(find(capabilities, 'Capabilities', 'Media', 'XAddr')?.text ?? '', deviceUrl)
  if (url === undefined) throw new CameraFailure('The source has no video')
  return createService(call, url, media)
}
