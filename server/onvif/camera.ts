import type { Camera } from '../../src/api/contract/onvif.ts'
import { bareHostOf } from '../media/address.ts'
import type { Credentials } from '../media/authorization.ts'
import { pathOf } from '../media/http-exchange.ts'
import { originAt, parseSource } from '../media/source.ts'
import { CameraFailure, createCameraClient, type CameraClient } from './client.ts'
import { mediaServiceOf, type MediaProfile, type MediaService } from './media-service.ts'
import { servicesOf, undefinedForFault } from './services.ts'
import { deviceNamespace } from './soap.ts'
import { find, numberAt, textAt, type Element } from './xml.ts'

type Options = { credentials: Credentials; allowLoopback: boolean; now: () => number; signal: AbortSignal }

const maxSourceLength = 4000

/** How far the camera's clock is ahead, in milliseconds; 0 if the answer has no time. */
export const readSkew = async (call: CameraClient, url: URL, now: () => number): Promise<number> => {
  const request = `<GetSystemDateAndTime xmlns="${deviceNamespace}"/>`
  const answer = await call(url, request, { isAnonymous: true }).catch((error: unknown) => {
    // Some cameras require a login even for this call, or don't support it.
    const isReached =
      error instanceof CameraFailure && error.reason !== 'EHOSTUNREACH' && error.reason !== 'ACCESS_DENIED_ERR'
    if (!isReached) throw error
    return undefined
  })
  const moment = find(answer, 'SystemDateAndTime', 'UTCDateTime')
  const part = (...path: string[]): number => numberAt(moment, ...path)
  const time = Date.UTC(
    part('Date', 'Year'),
    part('Date', 'Month') - 1,
    part('Date', 'Day'),
    part('Time', 'Hour'),
    part('Time', 'Minute'),
    part('Time', 'Second'),
  )
  return part('Date', 'Year') === 0 || !Number.isFinite(time) ? 0 : time - now()
}

/**
 * A URL that a camera returned for one of its streams, with the host that was called: behind NAT cameras return a host
 * that can't be reached, and a hostile one would have the password sent elsewhere. Empty if the scheme isn't one of
 * `schemes`, or if the URL can't be a source.
 */
const atHost = (text: string, host: string, schemes: readonly string[]): string => {
  const url = URL.parse(text.trim())
  if (url === null || !schemes.includes(url.protocol)) return ''
  const source = `${originAt(url, host)}${pathOf(url)}`
  return source.length <= maxSourceLength && typeof parseSource(source) !== 'string' ? source : ''
}

const readStreams = async (
  service: MediaService,
  profiles: readonly MediaProfile[],
  host: string,
): Promise<Camera['profiles']> => {
  const streams: Camera['profiles'] = []
  for (const { token, ...described } of profiles) {
    const uri = await service.streamUri(token).catch(undefinedForFault)
    const streamSource = atHost(uri ?? '', host, ['rtsp:', 'rtsps:'])
    if (streamSource !== '') streams.push({ ...described, streamSource })
  }
  return streams
}

const readSnapshot = async (service: MediaService, [first]: readonly MediaProfile[], host: string): Promise<string> => {
  if (first === undefined) return ''
  const uri = await service.snapshotUri(first.token).catch(undefinedForFault)
  return atHost(uri ?? '', host, ['http:', 'https:'])
}

const describe = (information: Element): Omit<Camera, 'profiles' | 'snapshot'> => ({
  manufacturer: textAt(information, 'Manufacturer'),
  model: textAt(information, 'Model'),
  serialNumber: textAt(information, 'SerialNumber'),
  firmware: textAt(information, 'FirmwareVersion'),
})

/** Reads what a camera is and which streams it has, one request after another. Throws CameraFailure. */
export const readCamera = async (url: URL, { now, ...options }: Options): Promise<Camera> => {
  const host = bareHostOf(url)
  let skew = 0
  const call = createCameraClient({ ...options, now: () => now() + skew })
  skew = await readSkew(call, url, now)
  const described = describe(await call(url, `<GetDeviceInformation xmlns="${deviceNamespace}"/>`))
  const service = mediaServiceOf(call, await servicesOf(call, url))
  const mediaProfiles = await service.profiles()
  const profiles = await readStreams(service, mediaProfiles, host)
  if (profiles.length === 0) throw new CameraFailure('The source has no video')
  return { ...described, profiles, snapshot: await readSnapshot(service, mediaProfiles, host) }
}
