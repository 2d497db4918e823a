import * as z from 'zod/mini'
import {
  Annotation,
  Annotations,
  AnnotationsQuery,
  ArchiveRanges,
  ArchiveStats,
  AvailableDays,
  DaysQuery,
  PeriodQuery,
} from '../../../src/api/contract/archive.ts'
import type { Caller } from '../../access/access.ts'
import { isLimited, mayWatch, sharedPart } from '../../access/share-range.ts'
import { byMoment } from '../../cluster/passing-on.ts'
import type { ServerContext } from '../../context.ts'
import type { App } from '../../http/fastify.ts'
import { validationError } from '../../http/api-error.ts'
import { whileOpen } from '../../http/while-open.ts'
import type { Site } from '../../streams/site.ts'
import { recordedDays } from './days.ts'
import { isTimezone } from '../../time-zone.ts'
import { requirePeriod } from './require-period.ts'
import { sendPieces } from './sending.ts'

const Uid = z.object({ uid: z.string() })
const tags = ['archive']
type Query = z.output<typeof AnnotationsQuery>

/** Guests get what lies within their share, without `source`, which may be a login. */
const shownTo = (caller: Caller, annotation: Annotation): Annotation[] => {
  if (!isLimited(caller)) return [annotation]
  const { time, timeEnd } = annotation
  if (timeEnd === undefined) return mayWatch(caller, time) ? [{ ...annotation, source: undefined }] : []
  const { from, to } = sharedPart(caller, { from: time, to: timeEnd })
  return from < to ? [{ ...annotation, source: undefined, time: from, timeEnd: to }] : []
}

/** What is recorded of a stream, and its annotations. */
export const archiveFactRoutes = (app: App, context: ServerContext, site: Site): void => {
  const { settings, now } = context
  const { index } = site
  const config = { access: { to: 'viewRange', from: 'params.uid' } } as const

  /** The JSON of the answer, page by page. */
  const annotationsOf = async function* (caller: Caller, { streamId, from, to }: Query): AsyncGenerator<Buffer> {
    let opening = '{"items":['
    const isOutside = isLimited(caller) && from >= to
    for await (const page of isOutside ? [] : site.annotations.within(streamId, from, to)) {
      const shown = page.flatMap((each) => shownTo(caller, each))
      if (shown.length === 0) continue
      yield Buffer.from(opening + shown.map((each) => JSON.stringify(z.encode(Annotation, each))).join(','))
      opening = ','
    }
    yield Buffer.from(opening === ',' ? ']}' : `${opening}]}`)
  }

  app.get(
    '/v1/stream/:uid/archive/ranges',
    {
      config: { ...config, answeredBy: byMoment(now) },
      schema: { tags, params: Uid, querystring: PeriodQuery, response: { 200: ArchiveRanges } },
    },
    async ({ params, query, caller }, reply) => {
      const { start_time: from, end_time: to } = query
      requirePeriod(from, to, settings.rangesMaxSeconds)
      const ranges: { date: number; status: number }[] = []
      let at = from
      const visible = sharedPart(caller, { from, to })
      const fragments =
        visible.from < visible.to
          ? await index.recordedRanges(params.uid, visible.from, visible.to, whileOpen(reply))
          : []
      for (const fragment of fragments) {
        if (fragment.from > at) ranges.push({ date: at, status: 0 })
        ranges.push({ date: fragment.from, status: 1 })
        at = fragment.to
      }
      if (at < to) ranges.push({ date: at, status: 0 })
      return { period: { startTime: from, endTime: to }, ranges }
    },
  )

  app.get(
    '/v1/stream/:uid/archive/stats',
    { config, schema: { tags, params: Uid, response: { 200: ArchiveStats } } },
    async ({ params, caller }) => {
      const period = await index.period(params.uid)
      if (period === undefined) return { period: null }
      const { from, to } = sharedPart(caller, { from: period.startTime, to: period.endTime })
      return { period: from < to ? { startTime: from, endTime: to } : null }
    },
  )

  app.get(
    '/v1/stream/:uid/archive/available-days',
    { config, schema: { tags, params: Uid, querystring: DaysQuery, response: { 200: AvailableDays } } },
    async ({ params, query, caller }) => {
      const { timezone = 'UTC' } = query
      if (!isTimezone(timezone)) throw validationError({ timezone: 'Unknown time zone' })
      const { from, to } = sharedPart(caller, { from: query.start_time, to: query.end_time })
      return { days: await recordedDays(from, to, timezone, (moment) => index.nextRecorded(params.uid, moment)) }
    },
  )

  app.get(
    '/v1/annotations',
    {
      config: { access: { to: 'viewRange', from: 'query.streamId' } },
      schema: { tags, querystring: AnnotationsQuery, response: { 200: Annotations } },
    },
    async ({ query, caller }, reply) => {
      reply.type('application/json; charset=utf-8')
      return sendPieces(reply, annotationsOf(caller, { ...query, ...sharedPart(caller, query) }))
    },
  )
}
