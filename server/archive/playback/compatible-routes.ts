import type { FastifyReply, FastifyRequest } from 'fastify'
import { sharedSegment } from '../../access/share-range.ts'
import { byMoment } from '../../cluster/passing-on.ts'
import type { ServerContext } from '../../context.ts'
import { notFound } from '../../http/api-error.ts'
import { viewerKey } from '../../http/caller-key.ts'
import type { App } from '../../http/fastify.ts'
import { isNotModified, versionOf } from '../../http/http-cache.ts'
import { cutSegment } from '../../media/cut.ts'
import type { Site } from '../../streams/site.ts'
import type { Compatible, CompatibleRequest } from './compatible.ts'
import { Named, numberOf, Silent } from './live-routes.ts'
import { undefinedIfGone, type SegmentLocation } from './reading.ts'
import { sendBytes, sendHead, type Sending } from './sending.ts'
import { isRunShared } from './shared-runs.ts'
import { findSubsegment, subsegmentAt } from '../format/subsegments.ts'

const tags = ['archive']
const schema = { tags, params: Named }
const schemaOfMedia = { ...schema, querystring: Silent }
const ofViewers = { access: { to: 'view', from: 'params.uid' }, isSameForAll: true } as const
const ofLive = { ...ofViewers, answeredBy: 'holder' } as const
const ofArchiveViewers = { access: { to: 'viewRange', from: 'params.uid' } } as const
/** A segment of the same run that ends this close to another one's start, in milliseconds, is the one before it. */
const maxGapMs = 50

/** Segments and inits of the rendition `compatible`. Its playlists are in live-routes.ts and archive-routes.ts. */
export const compatibleRoutes = (
  app: App,
  { now }: Pick<ServerContext, 'now'>,
  site: Site,
  sending: Sending,
  compatible: Compatible,
): void => {
  const read = (uid: string, location: SegmentLocation) => site.read(uid, location).catch(undefinedIfGone)

  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    segmentRequest: CompatibleRequest,
  ): Promise<FastifyReply> => {
    reply.type('video/mp4')
    if (isNotModified(reply, compatible.versionOf(segmentRequest))) return reply.send()
    if (request.method === 'HEAD') return sendHead(reply)
    const bytes = await compatible.segmentOf(segmentRequest, request, reply)
    if (bytes === undefined) throw notFound()
    sending.mediaBytes.reserve(viewerKey(request), reply, bytes.length)
    return sendBytes(reply, bytes)
  }

  app.get('/v1/stream/:uid/archive/compatible/live/:name', { config: ofLive, schema }, async (request, reply) => {
    const { uid, name } = request.params
    const supervisor = site.supervisor(uid)
    const start = numberOf(name)
    const kept = supervisor?.live.kept() ?? []
    const { segment, subsegment } = findSubsegment(kept, start) ?? {}
    const run = segment === undefined ? undefined : supervisor?.live.findRun(segment.run)
    if (supervisor === undefined || segment === undefined || subsegment === undefined || run === undefined)
      throw notFound()
    supervisor.noteViewer(viewerKey(request))
    const before = kept.find((each) => each.run === run.id && Math.abs(each.finish - segment.start) < maxGapMs)
    return send(request, reply, {
      uid,
      playback: 'live',
      run,
      segment,
      subsegment,
      withoutSound: false,
      read: () => read(uid, segment),
      readBefore: async () => (before === undefined ? undefined : read(uid, before)),
    })
  })

  app.get(
    '/v1/stream/:uid/archive/compatible/recorded/:name',
    { config: { ...ofArchiveViewers, answeredBy: byMoment(now) }, schema: schemaOfMedia },
    async (request, reply) => {
      const { uid, name } = request.params
      const start = numberOf(name)
      const segment = await site.index.at(uid, start)
      const shared = segment === undefined ? undefined : sharedSegment(request.caller, segment)
      const subsegment = shared && subsegmentAt(shared, start)
      const run = segment === undefined ? undefined : await site.index.run(uid, segment.run)
      if (segment === undefined || shared === undefined || subsegment === undefined || run === undefined)
        throw notFound()
      const readShared = async () => {
        const bytes = await read(uid, segment)
        if (bytes === undefined || shared === segment) return bytes
        return cutSegment(bytes, run.init, segment.mediaStart + shared.duration)
      }
      return send(request, reply, {
        uid,
        playback: 'archive',
        run,
        segment: shared,
        subsegment,
        withoutSound: request.query.silent !== undefined,
        read: readShared,
        readBefore: async () => {
          const before = await site.index.at(uid, segment.start - maxGapMs)
          return before === undefined || before.run !== run.id ? undefined : read(uid, before)
        },
      })
    },
  )

  app.get(
    '/v1/stream/:uid/archive/compatible/init/:name',
    {
      // Not the same for all: what a visitor may have depends on the range of the share.
      config: { access: { to: 'see', from: 'params.uid' }, answeredBy: 'holderOrHere' },
      schema: schemaOfMedia,
    },
    async (request, reply) => {
      const { uid, name } = request.params
      const id = numberOf(name)
      const run = site.supervisor(uid)?.live.findRun(id) ?? (await site.index.run(uid, id))
      if (run === undefined || !(await isRunShared(site.index, request.caller, uid, id))) throw notFound()
      reply.type('video/mp4')
      if (request.method === 'HEAD') return sendHead(reply)
      const runRequest = { run, withoutSound: request.query.silent !== undefined }
      const bytes = await compatible.initOf(runRequest, request, reply)
      if (bytes === undefined) throw notFound()
      return isNotModified(reply, versionOf(bytes)) ? reply.send() : sendBytes(reply, bytes)
    },
  )
}
