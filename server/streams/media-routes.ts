import type { FastifyReply } from 'fastify'
import { PreviewQuery, Probe, ProbeQuery } from '../../src/api/contract/stream.ts'
import { readSegment, streamFolder } from '../archive/files.ts'
import type { Run, Segment } from '../archive/segment-index.ts'
import type { App, ServerContext } from '../context.ts'
import { probeError, validationError } from '../http/refusal.ts'
import { jpegOf } from '../media/picture.ts'
import { grabPicture, probeSource } from '../media/probe.ts'
import { isMasked, parseSource, restoreCredentials, type NetworkSource } from '../media/source.ts'
import { frameRate, pictureSize, scenes } from '../demo/scenes.ts'
import type { Site } from './site.ts'

const tags = ['streams']
const freshMs = 5000
const mostPictures = 300

/** Ends when the answer is sent, or nobody waits for it any more. */
export const whileOpen = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}

/** GET probe and preview: what a source carries, and how it looks; by its address, or of a stream (contract.md §3). */
export const mediaRoutes = (app: App, context: ServerContext, site: Site): void => {
  const { access, dataDir, now } = context
  const latest = new Map<string, { madeAt: number; picture: Promise<Buffer | undefined> }>()
  const moments = new Map<string, Buffer>()

  /** The source asked for: an address, with the credentials of the stream where it hides them; or the stream's own. */
  const sourceOf = (asked: { url?: string | undefined; stream_id?: string | undefined }): string => {
    const stream = asked.stream_id === undefined ? undefined : site.store.find(asked.stream_id)
    if (asked.url === undefined) {
      if (stream === undefined) throw validationError({ url: 'Required' })
      return stream.source
    }
    return stream === undefined ? asked.url : restoreCredentials(asked.url, stream.source)
  }

  const networkSource = (text: string): NetworkSource | string => {
    const source = parseSource(text)
    if (typeof source === 'string') throw probeError(source)
    if (isMasked(text)) throw probeError('HTTP_UNAUTHORIZED')
    return source.kind === 'demo' ? source.scene : source
  }

  app.get(
    '/v1/stream/probe',
    {
      config: { access: { to: 'admin', from: 'query.stream_id', without: 'creator' } },
      schema: { tags, querystring: ProbeQuery, response: { 200: Probe } },
    },
    async ({ query }, reply) => {
      const source = networkSource(sourceOf(query))
      if (typeof source === 'string') {
        const scene = scenes.get(source)
        if (scene === undefined) throw probeError('EHOSTUNREACH')
        const video = { type: 'video', codec: 'h264', ...pictureSize, fps: frameRate }
        return { format: 'demo', tracks: scene.hasTone ? [video, { type: 'audio', codec: 'aac', sampleRate: 48_000 }] : [video] }
      }
      const found = await probeSource(source, site.allowLoopback, 55_000, whileOpen(reply))
      if (typeof found === 'string') throw probeError(found)
      return found
    },
  )

  const pictureOf = async (uid: string, segment: Segment, run: Run, offset: number, signal?: AbortSignal) => {
    const bytes = await readSegment(streamFolder(dataDir, uid), segment).catch(() => undefined)
    if (bytes === undefined) return undefined
    return jpegOf({ init: run.init, segment: bytes, mediaStart: segment.mediaStart }, offset, signal)
  }

  const latestPicture = (uid: string): Promise<Buffer | undefined> => {
    const known = latest.get(uid)
    if (known !== undefined && now() - known.madeAt < freshMs) return known.picture
    const running = site.supervisor(uid)?.live.newest()
    const segment = running?.segment ?? site.index.newest(uid)
    const run = running?.run ?? (segment === undefined ? undefined : site.index.run(uid, segment.run))
    if (segment === undefined || run === undefined) return Promise.resolve(undefined)
    const picture = pictureOf(uid, segment, run, 0)
    const made = { madeAt: now(), picture }
    latest.set(uid, made)
    const forget = (): void => {
      if (latest.get(uid) === made) latest.delete(uid)
    }
    void picture.then((bytes) => bytes ?? forget(), forget)
    return picture
  }

  const pictureAt = async (uid: string, time: number, signal: AbortSignal): Promise<Buffer | undefined> => {
    const segment = site.index.at(uid, time)
    const run = segment === undefined ? undefined : site.index.run(uid, segment.run)
    if (segment === undefined || run === undefined) return undefined
    const offset = Math.min(Math.max(0, time - segment.start) / 1000, segment.duration - 0.05)
    const key = `${uid} ${segment.start} ${offset.toFixed(1)}`
    const known = moments.get(key)
    if (known !== undefined) return known
    const picture = await pictureOf(uid, segment, run, offset, signal)
    if (picture !== undefined) moments.set(key, picture)
    const [oldest] = moments.keys()
    if (moments.size > mostPictures && oldest !== undefined) moments.delete(oldest)
    return picture
  }

  app.get(
    '/v1/stream/preview',
    {
      config: { access: { to: 'view', from: 'query.stream_id', without: 'creator' } },
      schema: { tags, querystring: PreviewQuery },
    },
    async ({ query, caller }, reply) => {
      const { stream_id: uid, time, url } = query
      let picture: Buffer | undefined
      if (url !== undefined || uid === undefined) {
        if (uid !== undefined) access.require(caller, { to: 'admin', uid })
        const source = networkSource(sourceOf(query))
        if (typeof source === 'string') throw probeError('The source gives no picture yet')
        const grabbed = await grabPicture(source, site.allowLoopback, whileOpen(reply))
        if (typeof grabbed === 'string') throw probeError(grabbed)
        picture = grabbed
      } else if (time !== undefined) {
        access.require(caller, { to: 'viewArchive', uid })
        picture = await pictureAt(uid, time, whileOpen(reply))
      } else {
        picture = await latestPicture(uid)
      }
      // Not 404, which browsers log: most lists hold a stream that has no picture yet.
      if (picture === undefined) return reply.code(204).send()
      reply.type('image/jpeg').header('cache-control', time === undefined ? 'private, max-age=2' : 'private, max-age=3600')
      return reply.send(picture)
    },
  )
}
