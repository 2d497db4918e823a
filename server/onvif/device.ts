import type { Credentials } from '../media/authorization.ts'
import { readSkew } from './camera.ts'
import { CameraFailure, createCameraClient, type CameraClient } from './client.ts'
import { type ControlProfile, controlProfilesOf } from './profiles.ts'
import { ptzServiceOf, type PtzService } from './ptz-service.ts'
import { servicesOf } from './services.ts'

/** The device service of a stream's camera. `profile`: a token or a name, '' for the first one with PTZ. */
export type Target = { url: URL; profile: string; credentials: Credentials }

/** What the server knows of a camera that it calls. */
export type Device = {
  call: CameraClient
  ptz: PtzService | undefined
  /** The event service. */
  events: URL | undefined
  /** Tokens by which events name other video of the same device. */
  otherSources: ReadonlySet<string>
}

/** The connection data of one camera, kept between calls. */
export type Link = {
  /** Runs `work` with the camera, which is asked for its services first unless it has answered before. */
  use: <T>(work: (device: Device) => Promise<T>) => Promise<T>
  end: () => void
}

type Options = { allowLoopback: boolean; now: () => number }

/** A refused password isn't sent again for this long, as cameras lock out a user after repeated failures. */
const refusedMs = 30_000

const openDevice = async (
  { url, profile, credentials }: Target,
  { now, ...options }: Options & { signal: AbortSignal },
): Promise<Device> => {
  let skew = 0
  const call = createCameraClient({ ...options, credentials, now: () => now() + skew })
  skew = await readSkew(call, url, now)
  const services = await servicesOf(call, url)
  const profiles = await controlProfilesOf(call, services)
  const named = profiles.find(({ token, name }) => profile !== '' && (token === profile || name === profile))
  // The first profile may be that of another camera.
  const hasOthers = new Set(profiles.flatMap(({ sources }) => sources.at(-1) ?? [])).size > 1
  if (profile !== '' && named === undefined && hasOthers) throw new CameraFailure('The source has no video')
  const own = named ?? profiles.find(({ ptzNode }) => ptzNode !== '') ?? profiles[0]
  if (own === undefined) throw new CameraFailure('The source has no video')
  const isSameVideo = ({ sources }: ControlProfile) => sources.some((source) => own.sources.includes(source))
  const ptzProfile = own.ptzNode === '' ? profiles.find((each) => each.ptzNode !== '' && isSameVideo(each)) : own
  const others = profiles.flatMap(({ sources }) => sources).filter((source) => !own.sources.includes(source))
  return {
    call,
    ptz:
      services.ptz === undefined || ptzProfile === undefined
        ? undefined
        : await ptzServiceOf(call, services.ptz, ptzProfile),
    events: services.events,
    otherSources: new Set(others),
  }
}

export const createLink = (target: Target, options: Options): Link => {
  const ended = new AbortController()
  let opened: Promise<Device> | undefined
  let refusedAt = -Infinity

  return {
    use: async (work) => {
      if (performance.now() - refusedAt < refusedMs) throw new CameraFailure('HTTP_UNAUTHORIZED')
      opened ??= openDevice(target, { ...options, signal: ended.signal })
      const current = opened
      const forget = (error: unknown): never => {
        if (error instanceof CameraFailure && error.reason === 'HTTP_UNAUTHORIZED') refusedAt = performance.now()
        if (opened === current) opened = undefined
        throw error
      }
      const device = await current.catch(forget)
      return work(device).catch((error: unknown) => {
        // After any other failure than a SOAP fault the camera may have been replaced or restarted.
        const isLost = error instanceof CameraFailure && error.reason !== 'The camera answered with a fault'
        if (isLost) return forget(error)
        throw error
      })
    },
    end: () => ended.abort(),
  }
}
