import * as z from 'zod/mini'
import {
  Annotation,
  Annotations,
  AnnotationsQuery,
  ArchiveRanges,
  ArchiveStats,
  AvailableDays,
  DaysQuery,
  DownloadQuery,
  PeriodQuery,
} from '../../src/api/contract/archive.ts'
import type { TimeRange } from '../../src/api/contract/time-range.ts'
import { byMoment } from '../cluster/passing-on.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/fastify.ts'
import { isNotModified } from '../http/http-cache.ts'
import { notFound, validationError } from '../http/api-error.ts'
import { callerKey, viewerKey } from '../http/caller-key.ts'
import { whileOpen } from '../http/while-open.ts'
import type { Site } from '../streams/site.ts'
import { recordingPaths, subOf } from '../streams/substream.ts'
import { rewriteSegment } from '../media/rewrite.ts'
import { isTimezone, recordedDays } from './days.ts'
import { dispositionOf, planDownload } from './download.ts'
import { Masked } from './compatible.ts'
import { numberOf, requirePeriod, Silent } from './live-routes.ts'
import { createUrlFormat, playlistType, recordedEnd, recordedHead, segmentLines } from './playlist.ts'
import { maskDrawing } from './masked-download.ts'
import { undefinedIfGone } from './reading.ts'
import { hasMixedSound, type Run } from './run.ts'
import type { ListedSegment, Segment } from './segment.ts'
import { sendBytes, sendHead, sendPieces, type Sending } from './sending.ts'
import { listPlan, planSub, type SubPlan } from './sub-playlist.ts'

const Uid = z.object({ uid: z.string() })
const Named = z.object({ uid: z.string(), name: z.string().check(z.regex(/^\d{1,16}\.m4s$/)) })
const tags = ['archive']

export const archiveRoutes = (app: App, context: ServerContext, site: Site, sending: Sending): void => {
  const { settings, now } = context
  const { index } = site
  const config = { access: { to: 'viewArchive', from: 'params.uid' } } as const
  const ofMoment = { ...config, answeredBy: byMoment(now) }
  context.finishing.push(sending.downloads.idle)

  /**
   * The lines of a playlist, page by page, so that other requests run in between: a week has 300,000 segments.
   * `baseOf`: what the URLs of a run's media begin with.
   */
  const linesOf = async function* (
    targetDuration: number,
    pages: AsyncGenerator<ListedSegment[]>,
    runs: readonly Run[],
    { baseOf = () => '', isMasked = false }: { baseOf?: (run: number) => string; isMasked?: boolean } = {},
  ): AsyncGenerator<Buffer> {
    const asked = [...(hasMixedSound(runs) ? ['silent=1'] : []), ...(isMasked ? ['masked=1'] : [])].join('&')
    const query = asked === '' ? '' : `?${asked}`
    const urlOf = createUrlFormat('recorded/', `.m4s${query}`)
    const urls = {
      segment: ({ run, start }: ListedSegment) => baseOf(run) + urlOf(start),
      init: (run: number) => `${baseOf(run)}init/${run}.mp4${query}`,
    }
    yield Buffer.from(recordedHead(targetDuration), 'latin1')
    let before: ListedSegment | undefined
    for await (const page of pages) {
      yield Buffer.from(segmentLines(page, urls, before), 'latin1')
      before = page.at(-1) ?? before
    }
    yield Buffer.from(recordedEnd, 'latin1')
  }

  const targetDurationOf = async (...recordings: string[]): Promise<number> => {
    const found = await Promise.all(recordings.map((recording) => index.recording(recording)))
    return Math.max(...found.map((recording) => recording?.targetDuration ?? 2))
  }

  const mainLines = async (uid: string, { from, to }: TimeRange, isMasked: boolean): Promise<AsyncGenerator<Buffer>> =>
    linesOf(await targetDurationOf(uid), index.pagesWithin(uid, from, to), await index.kindsWithin(uid, from, to), {
      isMasked,
    })

  const subLines = async (uid: string, range: TimeRange, plan: SubPlan): Promise<AsyncGenerator<Buffer>> => {
    const mainRuns = new Set<number>()
    const pages = listPlan(index, uid, range, plan, (page) => {
      for (const { run } of page) mainRuns.add(run)
    })
    return linesOf(await targetDurationOf(uid, subOf(uid)), pages, plan.runs, {
      baseOf: (run) => (mainRuns.has(run) ? '../' : ''),
    })
  }

  /** The JSON of the answer, page by page. */
  const annotationsOf = async function* (uid: string, from: number, to: number): AsyncGenerator<Buffer> {
    let before = '{"items":['
    for await (const page of site.annotations.within(uid, from, to)) {
      yield Buffer.from(before + page.map((each) => JSON.stringify(z.encode(Annotation, each))).join(','))
      before = ','
    }
    yield Buffer.from(before === ',' ? ']}' : `${before}]}`)
  }

  // The URLs are relative, so that the same lines lead to the segments of either rendition.
  for (const path of [
    '/v1/stream/:uid/archive/recorded.m3u8',
    '/v1/stream/:uid/archive/compatible/recorded.m3u8',
  ] as const) {
    app.get(
      path,
      { config: ofMoment, schema: { tags, params: Uid, querystring: z.extend(PeriodQuery, Masked.shape) } },
      async (request, reply) => {
        const { params, query, method } = request
        const { start_time: from, end_time: to, masked } = query
        requirePeriod(from, to, settings.playlistMaxSeconds)
        if ((await index.within(params.uid, from, to, 1)).length === 0) throw notFound()
        if (method !== 'HEAD') sending.playlists.reserve(viewerKey(request), reply)
        reply.type(playlistType).header('cache-control', 'no-store')
        return method === 'HEAD'
          ? sendHead(reply)
          : sendPieces(reply, await mainLines(params.uid, { from, to }, masked !== undefined))
      },
    )
  }

  app.get(
    '/v1/stream/:uid/archive/sub/recorded.m3u8',
    { config: ofMoment, schema: { tags, params: Uid, querystring: PeriodQuery } },
    async (request, reply) => {
      const { params, query, method } = request
      const range = { from: query.start_time, to: query.end_time }
      requirePeriod(range.from, range.to, settings.playlistMaxSeconds)
      const plan = await planSub(index, params.uid, range, whileOpen(reply))
      if (plan === undefined) throw notFound()
      if (method !== 'HEAD') sending.playlists.reserve(viewerKey(request), reply)
      reply.type(playlistType).header('cache-control', 'no-store')
      return method === 'HEAD' ? sendHead(reply) : sendPieces(reply, await subLines(params.uid, range, plan))
    },
  )

  for (const { path, recordingOf } of recordingPaths) {
    app.get(
      `/v1/stream/:uid/archive/${path}recorded/:name`,
      { config: ofMoment, schema: { tags, params: Named, querystring: Silent } },
      async (request, reply) => {
        const { params, query, method } = request
        const recording = recordingOf(params.uid)
        const segment = await index.startingAt(recording, numberOf(params.name))
        if (segment === undefined) throw notFound()
        const run = query.silent === undefined ? undefined : await index.run(recording, segment.run)
        if (isNotModified(reply, `${segment.start}-${segment.bytes}${query.silent === undefined ? '' : '-silent'}`))
          return reply.send()
        if (method === 'HEAD') return sendHead(reply.type('video/mp4'), run === undefined ? segment.bytes : undefined)
        sending.mediaBytes.reserve(viewerKey(request), reply, segment.bytes)
        const bytes = await site.read(recording, segment, whileOpen(reply)).catch(undefinedIfGone)
        if (bytes === undefined) throw notFound()
        return sendBytes(
          reply.type('video/mp4'),
          run === undefined ? bytes : rewriteSegment(bytes, run.init, { seconds: 0, dropsSound: true }),
        )
      },
    )
  }

  app.get(
    '/v1/stream/:uid/archive/ranges',
    { config: ofMoment, schema: { tags, params: Uid, querystring: PeriodQuery, response: { 200: ArchiveRanges } } },
    async ({ params, query }, reply) => {
      const { start_time: from, end_time: to } = query
      requirePeriod(from, to, settings.rangesMaxSeconds)
      const ranges: { date: number; status: number }[] = []
      let at = from
      for (const range of await index.recordedRanges(params.uid, from, to, whileOpen(reply))) {
        if (range.from > at) ranges.push({ date: at, status: 0 })
        ranges.push({ date: range.from, status: 1 })
        at = range.to
      }
      if (at < to) ranges.push({ date: at, status: 0 })
      return { period: { startTime: from, endTime: to }, ranges }
    },
  )

  app.get(
    '/v1/stream/:uid/archive/stats',
    { config, schema: { tags, params: Uid, response: { 200: ArchiveStats } } },
    async ({ params }) => ({ period: (await index.period(params.uid)) ?? null }),
  )

  app.get(
    '/v1/stream/:uid/archive/available-days',
    { config, schema: { tags, params: Uid, querystring: DaysQuery, response: { 200: AvailableDays } } },
    async ({ params, query }) => {
      const { start_time: from, end_time: to, timezone = 'UTC' } = query
      if (!isTimezone(timezone)) throw validationError({ timezone: 'Unknown time zone' })
      return { days: await recordedDays(from, to, timezone, (moment) => index.nextRecorded(params.uid, moment)) }
    },
  )

  app.get(
    '/v1/stream/:uid/archive/download',
    { config, schema: { tags, params: Uid, querystring: DownloadQuery } },
    async (request, reply) => {
      const { params, query, method } = request
      const { start_time: from, end_time: to, timezone_offset: offset = 0 } = query
      requirePeriod(from, to, settings.archiveDownloadMaxSeconds)
      if (Math.abs(offset) > 18 * 60) throw validationError({ timezone_offset: 'Out of range' })
      const stream = site.store.find(params.uid)
      if (stream === undefined || (await index.within(params.uid, from, to, 1)).length === 0) throw notFound()
      const asFile = () =>
        reply.type('video/mp4').header('content-disposition', dispositionOf(stream.name, from, offset))
      sending.downloads.reserve(callerKey(request), reply)
      const pages = () => index.pagesWithin(params.uid, from, to)
      const runsOf = (segments: Parameters<typeof index.runsOf>[1]) => index.runsOf(params.uid, segments)
      const closing = new AbortController()
      const read = (segment: Segment) => site.read(params.uid, segment, closing.signal)
      const { masks = [] } = stream
      const person = { caller: callerKey(request), signal: closing.signal }
      const drawing = masks.length === 0 ? undefined : maskDrawing(masks, person)
      const download = await planDownload({ read, runsOf, pages }, drawing)
      if (download === undefined) throw notFound()
      if (method === 'HEAD') return sendHead(asFile(), download.bytes)
      if (download.bytes !== undefined) reply.header('content-length', download.bytes)
      return sendPieces(asFile(), download.pieces(), closing)
    },
  )

  app.get(
    '/v1/annotations',
    {
      config: { access: { to: 'viewArchive', from: 'query.streamId' } },
      schema: { tags, querystring: AnnotationsQuery, response: { 200: Annotations } },
    },
    async ({ query }, reply) => {
      reply.type('application/json; charset=utf-8')
      return sendPieces(reply, annotationsOf(query.streamId, query.from, query.to))
    },
  )
}
