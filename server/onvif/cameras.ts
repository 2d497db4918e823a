import type { PtzAbilities } from '../../src/api/contract/ptz.ts'
import type { ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import { actionNotAcceptable } from '../http/api-error.ts'
import { bareHostOf } from '../media/address.ts'
import { credentialsOf, parseSource } from '../media/source.ts'
import { ignoreDiskErrors } from '../store/background-writes.ts'
import type { Site } from '../streams/site.ts'
import type { StreamRow } from '../streams/stream-store.ts'
import { followCamera } from './follow-camera.ts'
import { createCameraEvents } from './camera-events.ts'
import { createLink, type Device, type Link, type Target } from './device.ts'
import { deviceUrlOf } from './device-url.ts'
import { createPtzControl, type PtzControl } from './ptz-control.ts'
import type { PtzService } from './ptz-service.ts'

export type LinkedCamera = { link: Link; control: PtzControl }

export type Cameras = {
  /** The camera of a stream; undefined if it has no ONVIF address. */
  of: (row: StreamRow) => LinkedCamera | undefined
  stop: () => Promise<void>
}

type KnownCamera = LinkedCamera & { key: string; following: { leave: () => Promise<void> } | undefined }

/** How soon a changed stream, or another assignment, is followed. */
const followEveryMs = 1000
/** How long the server tries to stop a camera and to unsubscribe from it. */
const leaveMs = 2000

/** The device service of a stream's camera. If its URL has no login, that of a source at the same host is used. */
const targetOf = ({ onvif, source }: Pick<StreamRow, 'onvif' | 'source'>): Target | undefined => {
  const typed = URL.parse(onvif?.url ?? '')
  if (typed === null) return undefined
  const own = credentialsOf(typed)
  typed.username = ''
  typed.password = ''
  const url = deviceUrlOf(typed.href)
  if (url === undefined) return undefined
  const main = parseSource(source)
  const isSameHost = typeof main === 'object' && main.kind === 'network' && main.host === bareHostOf(url)
  const credentials =
    own ?? (isSameHost ? { username: main.username, password: main.password } : { username: '', password: '' })
  return { url, profile: onvif?.profile ?? '', credentials }
}

const keyOf = ({ url, profile, credentials }: Target): string => JSON.stringify([url.href, profile, credentials])

export const requirePtz = ({ ptz }: Device): PtzService => {
  if (ptz === undefined) throw actionNotAcceptable('This stream has no PTZ')
  return ptz
}

/** The cameras of the streams that have an ONVIF address: their PTZ, and the events of those that this node records. */
export const createCameras = (context: ServerContext, site: Site): Cameras => {
  const { cluster, log, now } = context
  const cameras = new Map<string, KnownCamera>()
  const abilities = new Map<string, PtzAbilities>()
  site.ptz = abilities

  const eventsOf = (uid: string) =>
    createCameraEvents({
      uid,
      add: async (event) => {
        let id: number | undefined
        if (site.store.find(uid) === undefined) return undefined
        await ignoreDiskErrors(async () => {
          ;[id] = await site.annotations.addDetected([event])
        })
        if (id !== undefined) for (const listener of site.eventListeners) guarded('onvif: event', listener)([event])
        return id
      },
      end: (id, time) => ignoreDiskErrors(() => site.annotations.end(id, time)),
    })

  const startFollowing = (uid: string, link: Link): KnownCamera['following'] => {
    const leaving = new AbortController()
    let state: string | undefined
    const done = followCamera({
      link,
      events: eventsOf(uid),
      now,
      random: Math.random,
      signal: leaving.signal,
      onAbilities: (found) => {
        if (found === undefined) abilities.delete(uid)
        else abilities.set(uid, found)
      },
      onState: (reason) => {
        if (reason === state) return
        state = reason
        if (reason === '') site.logs.write(uid, 'info', 'ONVIF: the camera answers')
        else site.logs.write(uid, 'warn', `ONVIF: ${reason}`)
      },
    }).catch((error: unknown) => log.error({ err: error, uid }, 'onvif: a camera is not followed'))
    return {
      leave: async () => {
        leaving.abort()
        await done
      },
    }
  }

  const forget = async (uid: string): Promise<void> => {
    const camera = cameras.get(uid)
    if (camera === undefined) return
    cameras.delete(uid)
    abilities.delete(uid)
    const tooLong = setTimeout(guarded('onvif: leave', camera.link.end), leaveMs)
    await Promise.all([camera.following?.leave(), camera.control.close()])
    clearTimeout(tooLong)
    camera.link.end()
  }

  const open = (uid: string, target: Target): KnownCamera => {
    const link = createLink(target, {
      get allowLoopback() {
        return site.allowLoopback
      },
      now,
    })
    const control = createPtzControl((command) => link.use((device) => requirePtz(device).perform(command)))
    const camera: KnownCamera = { link, key: keyOf(target), control, following: undefined }
    cameras.set(uid, camera)
    return camera
  }

  const cameraOf = (row: StreamRow): KnownCamera | undefined => {
    const target = targetOf(row)
    const camera = cameras.get(row.uid)
    if (camera !== undefined && target !== undefined && camera.key === keyOf(target)) return camera
    if (camera !== undefined) guarded('onvif: changed', forget)(row.uid)
    return target === undefined ? undefined : open(row.uid, target)
  }

  const follow = guarded('onvif: follow', () => {
    for (const uid of cameras.keys()) if (site.store.find(uid) === undefined) guarded('onvif: removed', forget)(uid)
    for (const row of site.store.all()) {
      if ((row.onvif ?? null) === null && !cameras.has(row.uid)) continue
      const camera = cameraOf(row)
      const isOurs = cluster.tenureOf(row.uid) !== undefined && !row.isPaused
      if (camera === undefined || isOurs === (camera.following !== undefined)) continue
      const { following } = camera
      camera.following = isOurs ? startFollowing(row.uid, camera.link) : undefined
      if (!isOurs) {
        abilities.delete(row.uid)
        guarded('onvif: leave', async () => following?.leave())()
      }
    }
  })
  const timer = setInterval(follow, followEveryMs)
  timer.unref()

  return {
    of: cameraOf,
    stop: async () => {
      clearInterval(timer)
      await Promise.all([...cameras.keys()].map(forget))
    },
  }
}
