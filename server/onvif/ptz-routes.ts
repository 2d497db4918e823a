import * as z from 'zod/mini'
import { Preset, PresetBody, Presets, PtzBody } from '../../src/api/contract/ptz.ts'
import { key, nothing } from '../../src/api/contract/wire.ts'
import type { ServerContext } from '../context.ts'
import { minuteMs } from '../durations.ts'
import { actionNotAcceptable, notFound, probeError } from '../http/api-error.ts'
import { callerKey } from '../http/caller-key.ts'
import type { App } from '../http/fastify.ts'
import { createSlots } from '../media/slots.ts'
import type { Site } from '../streams/site.ts'
import { type Cameras, type LinkedCamera, requirePtz } from './cameras.ts'
import { CameraFailure } from './client.ts'
import type { PtzCommand, PtzService } from './ptz-service.ts'

const tags = ['cameras']
const config = { access: { to: 'admin', from: 'params.uid' } } as const
/** A console that holds a direction sends two or three a second. */
const controlLimit = { max: 600, timeWindow: minuteMs }
const presetsLimit = { max: 120, timeWindow: minuteMs }
const Uid = z.object({ uid: z.string() })
const PresetId = z.object({ uid: z.string(), token: key })

const commandOf = (body: z.output<typeof PtzBody>): PtzCommand => {
  if ('move' in body) {
    const { pan, tilt, zoom } = body.move
    return pan === 0 && tilt === 0 && zoom === 0 ? { kind: 'stop' } : { kind: 'move', velocity: body.move }
  }
  if ('preset' in body) return { kind: 'preset', token: body.preset }
  return { kind: 'home' in body ? 'home' : 'stop' }
}

/** Turns the cameras of streams (docs/wire.md §6.5). */
export const ptzRoutes = (app: App, context: ServerContext, site: Site, cameras: Cameras): void => {
  context.features.add('ptz')
  const slots = createSlots({ size: 16, runningEach: 4, waiting: 64, waitingEach: 8 })

  const cameraOf = (uid: string): LinkedCamera => {
    const row = site.store.find(uid)
    if (row === undefined) throw notFound()
    const camera = cameras.of(row)
    if (camera === undefined) throw actionNotAcceptable('This stream has no PTZ')
    return camera
  }

  const withProbeErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof CameraFailure) throw probeError(error.reason)
      throw error
    }
  }

  const withPtz = <T>(uid: string, caller: string, work: (ptz: PtzService) => Promise<T>): Promise<T> => {
    const { link } = cameraOf(uid)
    return slots({ callers: () => [caller] }, () =>
      withProbeErrors(() => link.use((device) => work(requirePtz(device)))),
    )
  }

  app.post(
    '/v1/stream/:uid/ptz',
    {
      config: { ...config, rateLimit: controlLimit },
      schema: { tags, params: Uid, body: PtzBody, response: { 200: nothing } },
    },
    async ({ params, body }) => {
      const { control } = cameraOf(params.uid)
      await withProbeErrors(() => control.send(commandOf(body)))
      return {}
    },
  )

  app.get(
    '/v1/stream/:uid/ptz/presets',
    {
      config: { ...config, rateLimit: presetsLimit },
      schema: { tags, params: Uid, response: { 200: Presets } },
    },
    async (request) => ({ items: await withPtz(request.params.uid, callerKey(request), (ptz) => ptz.presets()) }),
  )

  app.post(
    '/v1/stream/:uid/ptz/presets',
    {
      config: { ...config, rateLimit: presetsLimit },
      schema: { tags, params: Uid, body: PresetBody, response: { 200: Preset } },
    },
    (request) => withPtz(request.params.uid, callerKey(request), (ptz) => ptz.savePreset(request.body.name)),
  )

  app.delete(
    '/v1/stream/:uid/ptz/presets/:token',
    {
      config: { ...config, rateLimit: presetsLimit },
      schema: { tags, params: PresetId, response: { 200: nothing } },
    },
    async (request) => {
      await withPtz(request.params.uid, callerKey(request), (ptz) => ptz.removePreset(request.params.token))
      return {}
    },
  )
}
