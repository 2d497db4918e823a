import { Camera, CameraBody, FoundCameras } from '../../src/api/contract/onvif.ts'
import type { ServerContext } from '../context.ts'
import { minuteMs } from '../durations.ts'
import { probeError, validationError } from '../http/api-error.ts'
import { callerKey } from '../http/caller-key.ts'
import type { App } from '../http/fastify.ts'
import { whileOpen } from '../http/while-open.ts'
import { createShared, createSlots } from '../media/slots.ts'
import { parseSource } from '../media/source.ts'
import type { Site } from '../streams/site.ts'
import { readCamera } from './camera.ts'
import { CameraFailure } from './client.ts'
import { deviceUrlOf } from './device-url.ts'
import { discover, type DiscoveryNetwork } from './discovery.ts'
import type { FoundDevice } from './probe-match.ts'

const tags = ['cameras']
const config = { access: { to: 'creator' } } as const
const searchLimit = { max: 20, timeWindow: minuteMs }
const cameraLimit = { max: 120, timeWindow: minuteMs }
const cameraMs = 30_000

const hostOfSource = (text: string | undefined): string => {
  const source = text === undefined || text === '' ? undefined : parseSource(text)
  return typeof source === 'object' && source.kind === 'network' ? source.host : ''
}

/** Finds cameras in the local networks, and reads the profiles of one (docs/wire.md §6.3). */
export const onvifRoutes = (app: App, context: ServerContext, site: Site, network: DiscoveryNetwork): void => {
  const { features, now, streams } = context
  features.add('onvif')
  const searches = createShared<FoundDevice[]>(createSlots({ size: 1, waiting: 4 }))
  const cameras = createSlots({ size: 8, runningEach: 4, waiting: 64, waitingEach: 32 })

  const streamsByHost = (): Map<string, string[]> => {
    const found = new Map<string, string[]>()
    for (const { uid, source, substreamSource } of site.store.all()) {
      for (const host of new Set([hostOfSource(source), hostOfSource(substreamSource)])) {
        if (host !== '') found.set(host, [...(found.get(host) ?? []), uid])
      }
    }
    return found
  }

  app.post(
    '/v1/onvif/discover',
    { config: { ...config, rateLimit: searchLimit }, schema: { tags, response: { 200: FoundCameras } } },
    async (request, reply) => {
      const requester = { caller: callerKey(request), signal: whileOpen(reply) }
      const devices = await searches('', requester, (signal) => discover(network, site.allowLoopback, signal))
      const known = streamsByHost()
      const uids = devices.flatMap(({ host }) => known.get(host) ?? [])
      const visible = new Map((await streams.view(request.caller, uids)).map(({ uid, name }) => [uid, { uid, name }]))
      const items = devices.map((device) => ({
        ...device,
        streams: (known.get(device.host) ?? []).flatMap((uid) => visible.get(uid) ?? []),
      }))
      return { items }
    },
  )

  app.post(
    '/v1/onvif/camera',
    {
      config: { ...config, rateLimit: cameraLimit },
      schema: { tags, body: CameraBody, response: { 200: Camera } },
    },
    async (request, reply) => {
      const { address, login, password } = request.body
      const url = deviceUrlOf(address)
      if (url === undefined) throw validationError({ address: 'Not an address' })
      const signal = AbortSignal.any([whileOpen(reply), AbortSignal.timeout(cameraMs)])
      const { allowLoopback } = site
      const ask = () => readCamera(url, { credentials: { username: login, password }, allowLoopback, now, signal })
      try {
        return await cameras({ callers: () => [callerKey(request)], signal }, ask)
      } catch (error) {
        if (error instanceof CameraFailure) throw probeError(error.reason)
        throw error
      }
    },
  )
}
