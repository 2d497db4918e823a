import { vi } from 'vitest'
import { createOnvifControl, type OnvifControl } from '../../fixtures/onvif-control.ts'
import { patience } from '../../fixtures/patience.ts'
import { type CameraOptions, startOnvifCamera } from '../fixtures/onvif-camera.ts'
import { row } from '../fixtures/paused-stream.ts'
import { startVideo } from '../fixtures/video.ts'

type Setup = CameraOptions & { control?: OnvifControl; url?: (address: string) => string; profile?: string }

/** A server with the stream `c1`, on demand and so without video, whose camera answers by ONVIF. */
export const startControlled = async ({ url = (address) => address, profile = '', ...options }: Setup = {}) => {
  const { control = createOnvifControl() } = options
  const camera = await startOnvifCamera({ ...options, control })
  const video = await startVideo()
  const onvif = { url: url(camera.address), profile }
  const source = 'rtsp://cam.example/1'
  await video.site.add({ ...row, uid: 'c1', name: 'Gate', source, isPaused: false, isOnDemand: true, onvif })
  const cookie = video.admin
  const stream = async (as = cookie) => Object((await video.ask('GET', '/v1/stream/c1', { cookie: as })).body)
  return {
    ...video,
    camera,
    control,
    stream,
    ptz: (body: object, as = cookie) => video.ask('POST', '/v1/stream/c1/ptz', { cookie: as, body }),
    presets: (as = cookie) => video.ask('GET', '/v1/stream/c1/ptz/presets', { cookie: as }),
    abilities: () =>
      vi.waitFor(async () => {
        const { ptz } = await stream()
        if (ptz === undefined) throw new Error('no PTZ yet')
        return ptz
      }, patience),
    logged: (pattern: RegExp) =>
      vi.waitFor(async () => {
        const lines = await video.site.logs.read('c1', undefined)
        const found = lines.find(({ message }) => pattern.test(message))
        if (found === undefined) throw new Error('not logged yet')
        return found.message
      }, patience),
  }
}
