import * as z from 'zod/mini'
import { atMost, list, numberOr, text } from './wire.ts'

/**
 * Feature `onvif` (docs/wire.md §6.3). `address`: the URL of the camera's device service; `streams`: the streams from
 * the same host that the caller may see.
 */
const FoundCamera = z.object({
  id: z.string(),
  address: z.string(),
  host: text,
  name: text,
  model: text,
  location: text,
  streams: list(z.object({ uid: z.string(), name: text })),
})
export type FoundCamera = z.output<typeof FoundCamera>
export const FoundCameras = z.object({ items: list(FoundCamera) })
export type FoundCameras = z.output<typeof FoundCameras>

const credential = z._default(atMost(200), '')

export const CameraBody = z.object({
  address: atMost(1000).check(z.minLength(1)),
  login: credential,
  password: credential,
})
export type CameraBody = z.input<typeof CameraBody>

/** `codec` as a probe names it, `bitrate` in bits per second; '' or 0 if the camera doesn't say. */
const CameraProfile = z.object({
  name: text,
  codec: text,
  width: numberOr(0),
  height: numberOr(0),
  fps: numberOr(0),
  bitrate: numberOr(0),
  streamSource: z.string(),
})
export type CameraProfile = z.output<typeof CameraProfile>

/** `streamSource` and `snapshot` (the URL of a JPEG, or '') contain no login and password. */
export const Camera = z.object({
  manufacturer: text,
  model: text,
  serialNumber: text,
  firmware: text,
  profiles: list(CameraProfile),
  snapshot: text,
})
export type Camera = z.output<typeof Camera>
