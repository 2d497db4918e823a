import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { notFound } from '../http/api-error.ts'
import { viewerKey } from '../http/caller-key.ts'
import type { App } from '../http/fastify.ts'
import { isNotModified, versionOf } from '../http/http-cache.ts'
import type { Site } from '../streams/site.ts'
import type { Compatible, SegmentToTranscode } from './compatible.ts'
import { numberIn, Silent } from './live-routes.ts'
import { unlessAway, type Piece } from './reading.ts'
import { sendBytes, sendHead, type Sending } from './sending.ts'

const Named = z.object({ uid: z.string(), name: z.string().check(z.regex(/^\d{1,16}\.(?:m4s|mp4)$/)) })
const tags = ['archive']
const schema = { tags, params: Named }
const schemaOfMedia = { ...schema, querystring: Silent }
const live = { access: { to: 'view', from: 'params.uid' } } as const
const archived = { access: { to: 'viewArchive', from: 'params.uid' } } as const
/** Adjacent segments of a run are closer than this, in milliseconds. */
const joinMs = 50

/** Segments and inits of the rendition `compatible`; its playlists are those of the main one under another path. */
export const compatibleRoutes = (app: App, site: Site, sending: Sending, compatible: Compatible): void => {
  const read = (uid: string, piece: Piece) => site.read(uid, piece).catch(unlessAway)

  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: SegmentToTranscode,
  ): Promise<FastifyReply> => {
    const { start, duration } = wanted.segment
    reply.type('video/mp4')
    if (isNotModified(reply, `${start}-${duration}-compatible${wanted.isSilent ? '-silent' : ''}`)) return reply.send()
    if (request.method === 'HEAD') return sendHead(reply)
    const bytes = await compatible.segmentOf(wanted, request, reply)
    if (bytes === undefined) throw notFound()
    sending.mediaBytes.take(viewerKey(request), reply, bytes.length)
    return sendBytes(reply, bytes)
  }

  app.get('/v1/stream/:uid/archive/compatible/live/:name', { config: live, schema }, async (request, reply) => {
    const { uid, name } = request.params
    const supervisor = site.supervisor(uid)
    const segment = supervisor?.live.find(numberIn(name))
    const run = segment === undefined ? undefined : supervisor?.live.findRun(segment.run)
    if (supervisor === undefined || segment === undefined || run === undefined) throw notFound()
    supervisor.noteViewer(viewerKey(request))
    const before = supervisor.live
      .listed()
      .segments.find((each) => each.run === run.id && Math.abs(each.finish - segment.start) < joinMs)
    return send(request, reply, {
      uid,
      line: 'live',
      run,
      segment,
      isSilent: false,
      load: () => read(uid, segment),
      loadBefore: async () => (before === undefined ? undefined : read(uid, before)),
    })
  })

  app.get(
    '/v1/stream/:uid/archive/compatible/recorded/:name',
    { config: archived, schema: schemaOfMedia },
    async (request, reply) => {
      const { uid, name } = request.params
      const segment = await site.index.startingAt(uid, numberIn(name))
      const run = segment === undefined ? undefined : await site.index.run(uid, segment.run)
      if (segment === undefined || run === undefined) throw notFound()
      return send(request, reply, {
        uid,
        line: 'archive',
        run,
        segment,
        isSilent: request.query.silent !== undefined,
        load: () => read(uid, segment),
        loadBefore: async () => {
          const before = await site.index.at(uid, segment.start - joinMs)
          return before === undefined || before.run !== run.id ? undefined : read(uid, before)
        },
      })
    },
  )

  app.get(
    '/v1/stream/:uid/archive/compatible/init/:name',
    { config: live, schema: schemaOfMedia },
    async (request, reply) => {
      const { uid, name } = request.params
      const run = site.supervisor(uid)?.live.findRun(numberIn(name)) ?? (await site.index.run(uid, numberIn(name)))
      if (run === undefined) throw notFound()
      reply.type('video/mp4')
      if (request.method === 'HEAD') return sendHead(reply)
      const bytes = await compatible.initOf(run, request.query.silent !== undefined, request, reply)
      if (bytes === undefined) throw notFound()
      return isNotModified(reply, versionOf(bytes)) ? reply.send() : sendBytes(reply, bytes)
    },
  )
}
