import { call } from '../call.ts'
import { Camera, type CameraBody, FoundCameras } from '../contract/onvif.ts'

const searchTimeoutMs = 30_000
const cameraTimeoutMs = 40_000

/** Searches the server's network for some seconds; only with the feature `onvif` (docs/wire.md §6.3). */
export const findCameras = (signal?: AbortSignal) =>
  call(FoundCameras, { path: '/v1/onvif/discover', method: 'POST', signal, timeoutMs: searchTimeoutMs })

/** The profiles of a camera; ProbeError has the reason if it gives none. */
export const readCamera = (body: CameraBody, signal?: AbortSignal) =>
  call(Camera, { path: '/v1/onvif/camera', method: 'POST', body, signal, timeoutMs: cameraTimeoutMs })
