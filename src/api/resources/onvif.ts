import { call } from '../call.ts'
import { Camera, type CameraBody, FoundCameras } from '../contract/onvif.ts'

const searchMs = 30_000
const cameraMs = 40_000

/** Feature `onvif` (docs/wire.md §6.3). Takes some seconds; another search that is under way is waited for. */
export const findCameras = (signal?: AbortSignal) =>
  call(FoundCameras, { path: '/v1/onvif/discover', method: 'POST', signal, timeoutMs: searchMs })

/** What a camera says of itself and its streams. ProbeError says why there is nothing. */
export const askCamera = (body: CameraBody, signal?: AbortSignal) =>
  call(Camera, { path: '/v1/onvif/camera', method: 'POST', body, signal, timeoutMs: cameraMs })
