import { call } from '../call.ts'
import { Camera, type CameraQuestion, FoundCameras } from '../contract/onvif.ts'

const searchMs = 30_000
const cameraMs = 40_000

/** Feature `onvif` (docs/wire.md §6.3). Takes some seconds; another search that is under way is waited for. */
export const findCameras = (signal?: AbortSignal) =>
  call(FoundCameras, { path: '/v1/onvif/discover', method: 'POST', signal, timeoutMs: searchMs })

/** A camera's information and streams. A failure is a ProbeError with the reason. */
export const askCamera = (body: CameraQuestion, signal?: AbortSignal) =>
  call(Camera, { path: '/v1/onvif/camera', method: 'POST', body, signal, timeoutMs: cameraMs })
