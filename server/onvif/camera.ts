import type { Camera } from '../../src/api/contract/onvif.ts'
import { bareHostOf } from '../media/address.ts'
import type { Credentials } from '../media/authorization.ts'
import { pathOf } from '../media/http-exchange.ts'
import { originAt, parseSource } from '../media/source.ts'
import { CameraFailure, createCameraClient, type CameraClient } from './client.ts'
import { mediaServiceOf, nothingForFault, type MediaProfile, type MediaService } from './media-service.ts'
import { deviceNamespace } from './soap.ts'
import { find, numberAt, textAt, type Element } from './xml.ts'

type Options = { credentials: Credentials; allowLoopback: boolean; now: () => number; signal: AbortSignal }

const maxSourceLength = 4000

/** How far the camera's clock is ahead, in milliseconds; 0 if unknown. */
const readSkew = async (call: CameraClient, url: URL, now: () => number): Promise<number> => {
  const answer = await call(url, `<GetSystemDateAndTime xmlns="${deviceNamespace}"/>`, true).catch((error: unknown) => {
    // Some want a login even for this, or don't have it.
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
 * An address that a camera gave for one of its own services or streams, at the host that was asked: behind another
 * network cameras name one that can't be reached, and a hostile one would have the password sent elsewhere. Empty if it
 * has none of these schemes.
 */
const atHost = (text: string, host: string, schemes: readonly string[]): string => {
  const url = URL.parse(text.trim())
  if (url === null || !schemes.includes(url.protocol)) return ''
  const address = `${originAt(url, host)}${pathOf(url)}`
  return address.length <= maxSourceLength && typeof parseSource(address) !== 'string' ? address : ''
}

const readStreams = async (
  service: MediaService,
  profiles: readonly MediaProfile[],
  host: string,
): Promise<Camera['profiles']> => {
  const streams: Camera['profiles'] = []
  for (const { token, ...described } of profiles) {
    const uri = await service.streamUri(token).catch(nothingForFault)
    const streamSource = atHost(uri ?? '', host, ['rtsp:', 'rtsps:'])
    if (streamSource !== '') streams.push({ ...described, streamSource })
  }
  return streams
}

const readSnapshot = async (service: MediaService, [first]: readonly MediaProfile[], host: string): Promise<string> => {
  if (first === undefined) return ''
  const uri = await service.snapshotUri(first.token).catch(nothingForFault)
  return atHost(uri ?? '', host, ['http:', 'https:'])
}

const describe = (found: Element): Omit<Camera, 'profiles' | 'snapshot'> => ({
  manufacturer: textAt(found, 'Manufacturer'),
  model: textAt(found, 'Model'),
  serialNumber: textAt(found, 'SerialNumber'),
  firmware: textAt(found, 'FirmwareVersion'),
})

/** Reads a camera's information and streams, one request after another. Throws CameraFailure. */
export const readCamera = async (url: URL, { now, ...options }: Options): Promise<Camera> => {
  const host = bareHostOf(url)
  let skew = 0
  const call = createCameraClient({ ...options, now: () => now() + skew })
  skew = await readSkew(call, url, now)
  const described = describe(await call(url, `<GetDeviceInformation xmlns="${deviceNamespace}"/>`))
  const service = await mediaServiceOf(call, url)
  const found = await service.profiles()
  const profiles = await readStreams(service, found, host)
  if (profiles.length === 0) throw new CameraFailure('The source has no video')
  return { ...described, profiles, snapshot: await readSnapshot(service, found, host) }
}
