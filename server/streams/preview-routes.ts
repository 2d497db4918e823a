import type { FastifyReply, FastifyRequest } from 'fastify'
import { PreviewQuery, Probe, ProbeQuery } from '../../src/api/contract/stream.ts'
import { undefinedIfGone } from '../archive/playback/reading.ts'
import type { Run } from '../archive/format/run.ts'
import type { Segment } from '../archive/format/segment.ts'
import { sendHead } from '../archive/playback/sending.ts'
import { byMoment } from '../cluster/passing-on.ts'
import { mayWatch } from '../access/share-range.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/fastify.ts'
import { callerKey } from '../http/caller-key.ts'
import { isNotModified, versionOf } from '../http/http-cache.ts'
import { probeError, validationError } from '../http/api-error.ts'
import { whileOpen } from '../http/while-open.ts'
import { createByteCache, type ByteCache } from '../media/byte-cache.ts'
import { masksKey, type Masks } from '../media/masks.ts'
import { jpegOf } from '../media/picture.ts'
import { grabPicture, probeSource, type Requester } from '../media/probe.ts'
import { isMasked, parseSource, restoreCredentials, type Source } from '../media/source.ts'
import { frameRate, pictureSize, scenes } from '../demo/scenes.ts'
import type { Site } from './site.ts'
import { subOf } from './substream.ts'

const tags = ['streams']
const probeMs = 55_000
/** The newest picture of a stream is made again after this. */
const newestMs = 5000
const cacheBytes = 32 * 1024 * 1024

/** A frame of a segment, to make a picture of. `offset`: seconds after the start of the segment. */
type Frame = { key: string; recording: string; segment: Segment; run: Run; offset: number; cache: ByteCache }

const noMasks: Masks = []

const personOf = (request: FastifyRequest): Requester => ({ kind: 'person', caller: callerKey(request) })

export const previewRoutes = (app: App, context: ServerContext, site: Site): void => {
  const { access } = context
  const answererOf = byMoment(context.now)
  /** The holder answers with the newest picture; while it is away, this node does, from the archive. */
  const previewAnswererOf = (request: FastifyRequest) => (answererOf(request) === 'here' ? 'here' : 'holderOrHere')
  const newestPictures = createByteCache(cacheBytes, newestMs)
  const archivePictures = createByteCache(cacheBytes)

  /**
   * The source to probe or take a picture of: that of the stream, or the URL, with masked credentials replaced by the
   * stream's.
   */
  const sourceOf = (query: { url?: string | undefined; stream_id?: string | undefined }): string => {
    const stream = query.stream_id === undefined ? undefined : site.store.find(query.stream_id)
    if (query.url === undefined) {
      if (stream === undefined) throw validationError({ url: 'Required' })
      return stream.source
    }
    if (stream === undefined) return query.url
    return restoreCredentials(restoreCredentials(query.url, stream.substreamSource ?? ''), stream.source)
  }

  /** Throws if it is invalid or its credentials are masked. */
  const requireSource = (text: string): Source => {
    const source = parseSource(text)
    if (typeof source === 'string') throw probeError(source)
    if (isMasked(text)) throw probeError('HTTP_UNAUTHORIZED')
    return source
  }

  app.get(
    '/v1/stream/probe',
    {
      // HEAD would probe the source, too.
      exposeHeadRoute: false,
      config: { access: { to: 'admin', from: 'query.stream_id', without: 'creator' }, answeredBy: 'holderOrHere' },
      schema: { tags, querystring: ProbeQuery, response: { 200: Probe } },
    },
    async (request, reply) => {
      const source = requireSource(sourceOf(request.query))
      if (source.kind === 'demo') {
        const scene = scenes.get(source.scene)
        if (scene === undefined) throw probeError('EHOSTUNREACH')
        const video = { type: 'video', codec: 'h264', ...pictureSize, fps: frameRate }
        return {
          format: 'demo',
          tracks: scene.hasTone ? [video, { type: 'audio', codec: 'aac', sampleRate: 48_000 }] : [video],
        }
      }
      const found = await probeSource(source, site.allowLoopback, personOf(request), probeMs, whileOpen(reply))
      if (typeof found === 'string') throw probeError(found)
      return found
    },
  )

  const sendPicture = (reply: FastifyReply, picture: Buffer): FastifyReply =>
    isNotModified(reply, versionOf(picture)) ? reply.send() : reply.type('image/jpeg').send(picture)

  const sendPictureOf = async (url: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const source = requireSource(url)
    if (source.kind === 'demo') throw probeError('A demo source has no picture before it is added')
    if (request.method === 'HEAD') return sendHead(reply.type('image/jpeg'))
    const picture = await grabPicture(source, site.allowLoopback, personOf(request), whileOpen(reply))
    if (typeof picture === 'string') throw probeError(picture)
    return sendPicture(reply, picture)
  }

  /** The newest picture of a stream. A caller without archive access gets it only while the stream is live. */
  const newestFrame = async (uid: string, hasArchive: boolean): Promise<Frame | undefined> => {
    const isLive = (recording: string): boolean => site.supervisor(recording)?.isLive() === true
    const recording = isLive(subOf(uid)) ? subOf(uid) : uid
    if (!isLive(recording) && !hasArchive) return undefined
    const newest = site.supervisor(recording)?.live.newest()
    const segment = newest?.segment ?? (await site.index.newest(recording))
    const run = newest?.run ?? (segment === undefined ? undefined : await site.index.run(recording, segment.run))
    if (segment === undefined || run === undefined) return undefined
    const key = `${recording} ${isLive(recording) ? 'live' : 'archive'}`
    return { key, recording, segment, run, offset: 0, cache: newestPictures }
  }

  const frameOf = async (recording: string, time: number): Promise<Frame | undefined> => {
    const segment = await site.index.at(recording, time)
    const run = segment === undefined ? undefined : await site.index.run(recording, segment.run)
    if (segment === undefined || run === undefined) return undefined
    const offset = Math.max(0, time - segment.start) / 1000
    const key = `${recording} ${segment.start} ${offset.toFixed(1)}`
    return { key, recording, segment, run, offset, cache: archivePictures }
  }

  /** The picture of a moment, from the substream if it has the moment: it decodes faster, and previews are small. */
  const frameAt = async (uid: string, time: number): Promise<Frame | undefined> =>
    (await frameOf(subOf(uid), time)) ?? (await frameOf(uid, time))

  const pictureOf = async (
    { key: frameKey, recording, segment, run, offset, cache }: Frame,
    masks: Masks,
    caller: string,
    signal: AbortSignal,
  ) => {
    const key = frameKey + masksKey(masks)
    const known = cache.get(key)
    if (known !== undefined) return known
    const load = async () => {
      const bytes = await site.read(recording, segment).catch(undefinedIfGone)
      return bytes === undefined ? undefined : { init: run.init, segment: bytes, mediaStart: segment.mediaStart }
    }
    const picture = await jpegOf({ key, caller, signal, load }, offset, masks)
    if (picture !== undefined) cache.put(key, picture)
    return picture
  }

  app.get(
    '/v1/stream/preview',
    {
      config: { access: { to: 'see', from: 'query.stream_id', without: 'creator' }, answeredBy: previewAnswererOf },
      schema: { tags, querystring: PreviewQuery },
    },
    async (request, reply) => {
      const { caller, query, method } = request
      const { stream_id: uid, time, url } = query
      const isUnmasked = query.unmasked !== undefined
      if (url !== undefined || uid === undefined) {
        if (uid !== undefined) await access.require(caller, { to: 'admin', uid })
        return sendPictureOf(sourceOf(query), request, reply)
      }
      await access.require(caller, { to: time === undefined ? 'view' : 'viewRange', uid })
      if (isUnmasked) await access.require(caller, { to: 'admin', uid })
      const masks = isUnmasked ? noMasks : (site.store.find(uid)?.masks ?? noMasks)
      const hasArchive = (await access.apiError(caller, { to: 'viewArchive', uid })) === undefined
      const mayWatchMoment = time === undefined || mayWatch(caller, time)
      const frame = mayWatchMoment
        ? await (time === undefined ? newestFrame(uid, hasArchive) : frameAt(uid, time))
        : undefined
      if (
        frame !== undefined &&
        time !== undefined &&
        isNotModified(reply, `${frame.segment.start}-${time}${masksKey(masks)}`)
      )
        return reply.send()
      if (frame !== undefined && method === 'HEAD') return sendHead(reply.type('image/jpeg'))
      const picture =
        frame === undefined ? undefined : await pictureOf(frame, masks, callerKey(request), whileOpen(reply))
      // Not 404, which browsers log: most lists have a stream without a picture.
      if (picture === undefined) return reply.code(204).removeHeader('etag').header('cache-control', 'no-store').send()
      return reply.hasHeader('etag') ? reply.type('image/jpeg').send(picture) : sendPicture(reply, picture)
    },
  )
}
