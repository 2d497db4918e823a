import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { DownloadQuery, PeriodQuery } from '../../../src/api/contract/archive.ts'
import type { TimeRange } from '../../../src/api/contract/time-range.ts'
import type { Caller } from '../../access/access.ts'
import { isLimited, sharedPages, sharedPart, sharedSegment } from '../../access/share-range.ts'
import { byMoment } from '../../cluster/passing-on.ts'
import type { ServerContext } from '../../context.ts'
import type { App } from '../../http/fastify.ts'
import { acceptsGzip } from '../../http/accepts-gzip.ts'
import { isNotModified } from '../../http/http-cache.ts'
import { notFound, validationError } from '../../http/api-error.ts'
import { callerKey, viewerKey } from '../../http/caller-key.ts'
import { whileOpen } from '../../http/while-open.ts'
import type { Site } from '../../streams/site.ts'
import { recordingPaths, subOf } from '../../streams/substream.ts'
import { cutSegment } from '../../media/cut.ts'
import { segmentWithoutSound } from '../../media/rewrite.ts'
import { cutPages, dispositionOf, planDownload } from './download.ts'
import { numberOf, Silent } from './live-routes.ts'
import { playlistType } from './playlist.ts'
import { maskDrawing } from './masked-download.ts'
import { gzipped } from './gzipped.ts'
import { createLentBuffers } from './lent-buffers.ts'
import { undefinedIfGone } from './reading.ts'
import { createHourTexts } from './hour-texts.ts'
import { recordedPlaylist } from './recorded-playlist.ts'
import { requirePeriod } from './require-period.ts'
import { hasMixedSound, type Run } from '../format/run.ts'
import type { ListedSegment, Segment } from '../format/segment.ts'
import type { HourOrPage } from '../index/packed-hours.ts'
import { sendBytes, sendHead, sendPieces, type Sending } from './sending.ts'
import { subsegmentsOf } from '../format/subsegments.ts'
import { listPlan, planSub, type SubPlan } from './sub-playlist.ts'

const Uid = z.object({ uid: z.string() })
const Named = z.object({ uid: z.string(), name: z.string().check(z.regex(/^\d{1,16}\.m4s$/)) })
const tags = ['archive']

export const archiveRoutes = (app: App, context: ServerContext, site: Site, sending: Sending): void => {
  const { settings, now } = context
  const { index } = site
  const config = { access: { to: 'viewRange', from: 'params.uid' } } as const
  const ofDownload = { access: { to: 'downloadRange', from: 'params.uid' } } as const
  const ofMoment = { ...config, answeredBy: byMoment(now) }
  const ofUnmasked = { ...ofMoment, isUnmasked: true }
  const hourTexts = createHourTexts()
  const lentWhile = createLentBuffers()
  context.finishing.push(sending.downloads.idle)

  /** `baseOf`: what the URLs of a run's media begin with. `isSplit`: lists subsegments. */
  const playlistOf = (
    targetDuration: number,
    pages: AsyncGenerator<HourOrPage>,
    runs: readonly Run[],
    { baseOf = () => '', isSplit = false }: { baseOf?: (run: number) => string; isSplit?: boolean } = {},
  ): AsyncGenerator<Buffer> => {
    const query = hasMixedSound(runs) ? '?silent=1' : ''
    const urls = {
      segment: ({ run, start }: ListedSegment) => `${baseOf(run)}recorded/${start}.m4s${query}`,
      init: (run: number) => `${baseOf(run)}init/${run}.mp4${query}`,
    }
    const [kind, listed] = isSplit ? [`split${query}`, subsegmentsOf] : [query, undefined]
    return recordedPlaylist(targetDuration, pages, { urls, kind, hourTexts, listed })
  }

  /** A row has that of the indexed chunks alone, the supervisor that of the segments since. */
  const targetDurationOf = async (...recordings: string[]): Promise<number> => {
    const found = await Promise.all(recordings.map((recording) => index.recording(recording)))
    const ofRows = found.map((recording) => recording?.targetDuration ?? 2)
    return Math.max(...ofRows, ...recordings.map((uid) => site.supervisor(uid)?.live.targetDuration() ?? 2))
  }

  const pagesOf = (caller: Caller, recording: string, { from, to }: TimeRange): AsyncGenerator<HourOrPage> =>
    isLimited(caller)
      ? sharedPages(caller, index.pagesWithin(recording, from, to))
      : index.hoursWithin(recording, from, to)

  type WatchedRange = { uid: string; caller: Caller } & TimeRange

  const mainLines = async (
    { uid, caller, from, to }: WatchedRange,
    { isSplit }: { isSplit: boolean },
  ): Promise<AsyncGenerator<Buffer>> => {
    const pages = pagesOf(caller, uid, { from, to })
    return playlistOf(await targetDurationOf(uid), pages, await index.runOfEachKind(uid, from, to), { isSplit })
  }

  const subLines = async ({ uid, caller, ...range }: WatchedRange, plan: SubPlan): Promise<AsyncGenerator<Buffer>> => {
    const mainRuns = new Set<number>()
    const mixed = () =>
      listPlan(index, uid, range, plan, (page) => {
        for (const { run } of page) mainRuns.add(run)
      })
    const pages = plan.fromMain.length === 0 ? pagesOf(caller, subOf(uid), range) : sharedPages(caller, mixed())
    return playlistOf(await targetDurationOf(uid, subOf(uid)), pages, plan.runs, {
      baseOf: (run) => (mainRuns.has(run) ? '../' : ''),
    })
  }

  const sendLines = async (
    request: FastifyRequest,
    reply: FastifyReply,
    lines: () => Promise<AsyncGenerator<Buffer>>,
  ): Promise<FastifyReply> => {
    const isHead = request.method === 'HEAD'
    if (!isHead) sending.playlists.reserve(viewerKey(request), reply)
    reply.type(playlistType).headers({ 'cache-control': 'no-store', vary: 'accept-encoding' })
    const isZipped = acceptsGzip(request)
    if (isZipped) reply.header('content-encoding', 'gzip')
    if (isHead) return sendHead(reply)
    return sendPieces(reply, isZipped ? gzipped(await lines()) : await lines())
  }

  const hasRecordings = async (uid: string, { from, to }: TimeRange): Promise<boolean> =>
    from < to && (await index.within(uid, from, to, 1)).length > 0

  for (const { path, config, isSplit } of [
    { path: '/v1/stream/:uid/archive/recorded.m3u8', config: ofUnmasked, isSplit: false },
    { path: '/v1/stream/:uid/archive/compatible/recorded.m3u8', config: ofMoment, isSplit: true },
  ] as const) {
    app.get(path, { config, schema: { tags, params: Uid, querystring: PeriodQuery } }, async (request, reply) => {
      const { params, query, caller } = request
      requirePeriod(query.start_time, query.end_time, settings.playlistMaxSeconds)
      const range = sharedPart(caller, { from: query.start_time, to: query.end_time })
      if (!(await hasRecordings(params.uid, range))) throw notFound()
      return sendLines(request, reply, () => mainLines({ uid: params.uid, caller, ...range }, { isSplit }))
    })
  }

  app.get(
    '/v1/stream/:uid/archive/sub/recorded.m3u8',
    { config: ofUnmasked, schema: { tags, params: Uid, querystring: PeriodQuery } },
    async (request, reply) => {
      const { params, query, caller } = request
      requirePeriod(query.start_time, query.end_time, settings.playlistMaxSeconds)
      const range = sharedPart(caller, { from: query.start_time, to: query.end_time })
      const plan = range.from < range.to ? await planSub(index, params.uid, range, whileOpen(reply)) : undefined
      if (plan === undefined) throw notFound()
      return sendLines(request, reply, () => subLines({ uid: params.uid, caller, ...range }, plan))
    },
  )

  for (const { path, recordingOf } of recordingPaths) {
    app.get(
      `/v1/stream/:uid/archive/${path}recorded/:name`,
      { config: ofUnmasked, schema: { tags, params: Named, querystring: Silent } },
      async (request, reply) => {
        const { params, query, method, caller } = request
        const recording = recordingOf(params.uid)
        const segment = await index.startingAt(recording, numberOf(params.name))
        const shared = segment === undefined ? undefined : sharedSegment(caller, segment)
        if (segment === undefined || shared === undefined) throw notFound()
        const isCut = shared !== segment
        const isSilent = query.silent !== undefined
        const run = isSilent || isCut ? await index.run(recording, segment.run) : undefined
        if (isCut && run === undefined) throw notFound()
        const kind = `${isSilent ? '-silent' : ''}${isCut ? `-${shared.duration}` : ''}`
        if (isNotModified(reply, `${segment.start}-${segment.bytes}${kind}`)) return reply.send()
        if (method === 'HEAD') return sendHead(reply.type('video/mp4'), run === undefined ? segment.bytes : undefined)
        sending.mediaBytes.reserve(viewerKey(request), reply, segment.bytes)
        const signal = whileOpen(reply)
        const { allocate, lend } = lentWhile(signal)
        const bytes = await site.read(recording, segment, { signal, allocate }).catch(undefinedIfGone)
        if (bytes === undefined) throw notFound()
        lend()
        const cut =
          run !== undefined && isCut ? cutSegment(bytes, run.init, segment.mediaStart + shared.duration) : bytes
        return sendBytes(
          reply.type('video/mp4'),
          run !== undefined && isSilent ? segmentWithoutSound(cut, run.init) : cut,
        )
      },
    )
  }

  app.get(
    '/v1/stream/:uid/archive/download',
    { config: ofDownload, schema: { tags, params: Uid, querystring: DownloadQuery } },
    async (request, reply) => {
      const { params, query, method, caller } = request
      const { timezone_offset: offset = 0 } = query
      requirePeriod(query.start_time, query.end_time, settings.archiveDownloadMaxSeconds)
      if (Math.abs(offset) > 18 * 60) throw validationError({ timezone_offset: 'Out of range' })
      const stream = site.store.find(params.uid)
      const { from, to } = sharedPart(caller, { from: query.start_time, to: query.end_time })
      if (stream === undefined || !(await hasRecordings(params.uid, { from, to }))) throw notFound()
      const asFile = () =>
        reply.type('video/mp4').header('content-disposition', dispositionOf(stream.name, from, offset))
      sending.downloads.reserve(callerKey(request), reply)
      const signal = whileOpen(reply)
      const pages = () => cutPages(index.pagesWithin(params.uid, from, to), to, signal)
      const runsOf = (segments: Parameters<typeof index.runsOf>[1]) => index.runsOf(params.uid, segments)
      const isCut = (segment: Segment) => segment.finish >= to
      const read = async (segment: Segment) => {
        const bytes = await site.read(params.uid, segment, { signal })
        if (!isCut(segment)) return bytes
        const [run] = await runsOf([segment])
        return run === undefined ? bytes : cutSegment(bytes, run.init, segment.mediaStart + segment.duration)
      }
      const sizeOf = async (segment: Segment) => {
        const bytes = await read(segment).catch(undefinedIfGone)
        if (bytes === undefined) throw notFound()
        return bytes.length
      }
      const { masks = [] } = stream
      const person = { caller: callerKey(request), signal }
      const drawing = masks.length === 0 ? undefined : maskDrawing(masks, person)
      const download = await planDownload({ read, isCut, sizeOf, runsOf, pages }, drawing)
      if (download === undefined) throw notFound()
      if (method === 'HEAD') return sendHead(asFile(), download.bytes)
      if (download.bytes !== undefined) reply.header('content-length', download.bytes)
      return sendPieces(asFile(), download.pieces(), signal)
    },
  )
}
