import * as z from 'zod/mini'
import {
  AnnotationBody,
  AnnotationsBody,
  AnnotationIds,
  EventPage,
  EventsQuery,
} from '../../../src/api/contract/events.ts'
import { nothing } from '../../../src/api/contract/wire.ts'
import { streamsOfArchive } from '../../access/access.ts'
import { signedIn } from '../../access/gate.ts'
import type { ServerContext } from '../../context.ts'
import { minuteMs } from '../../durations.ts'
import { guarded } from '../../guarded.ts'
import { licenseExpired, notFound, validationError } from '../../http/api-error.ts'
import type { App } from '../../http/fastify.ts'
import { isNotModified, versionOf } from '../../http/http-cache.ts'
import type { Site } from '../../streams/site.ts'
import { searchEvents } from './event-search.ts'
import { requireSnapshot } from './snapshots.ts'

const tags = ['archive']
const config = { access: { to: 'user' } } as const
const bodyLimit = 1024 * 1024
/** How far the clock of a detector may be ahead. */
const maxAheadMs = 10 * minuteMs
const Id = z.object({ id: z.string() })
const EventOfStream = z.object({ uid: z.string(), id: z.string() })
const pictureTypes = ['image/png', 'image/jpeg', 'image/webp']
const isEventId = (id: string): boolean => /^\d{1,15}$/.test(id)

export const eventRoutes = (app: App, context: ServerContext, site: Site): void => {
  const { access, features, license, now, store } = context
  features.add('events').add('event-snapshots')

  const requireTimes = (
    annotations: readonly AnnotationBody[],
    nameOf: (index: number, field: string) => string,
  ): void => {
    for (const [index, { time, timeEnd }] of annotations.entries()) {
      if (time > now() + maxAheadMs) throw validationError({ [nameOf(index, 'time')]: 'In the future' })
      if (typeof timeEnd === 'number' && (timeEnd < time || timeEnd > now() + maxAheadMs))
        throw validationError({ [nameOf(index, 'timeEnd')]: 'Not after the start, or in the future' })
    }
  }

  app.post(
    '/v1/annotations',
    {
      config,
      bodyLimit,
      schema: { tags, body: z.union([AnnotationsBody, AnnotationBody]), response: { 200: AnnotationIds } },
    },
    async (request) => {
      const { body, caller } = request
      const { login } = signedIn(request)
      const isList = 'items' in body
      const nameOf = (index: number, field: string) => (isList ? `items.${index}.${field}` : field)
      const bodies = isList ? body.items : [body]
      const annotations = bodies.map(({ snapshot: _, ...each }) => ({ ...each, source: each.source || login }))
      requireTimes(annotations, nameOf)
      const snapshots = bodies.map(({ snapshot }, index) =>
        snapshot ? requireSnapshot(snapshot, nameOf(index, 'snapshot')) : undefined,
      )
      const uids = new Set(annotations.map(({ streamId }) => streamId))
      const ids = await store.transaction(async () => {
        for (const uid of uids) await access.require(caller, { to: 'admin', uid })
        return site.annotations.addDetected(annotations, snapshots)
      })
      for (const listener of site.eventListeners) guarded('events: listener', listener)(annotations)
      return { items: ids.map((id) => ({ id: String(id) })) }
    },
  )

  app.delete(
    '/v1/annotation/:id',
    { config, schema: { tags, params: Id, response: { 200: nothing } } },
    async ({ params, caller }) => {
      const id = Number(params.id)
      const uid = isEventId(params.id) ? await site.annotations.streamOf(id) : undefined
      if (uid === undefined) throw notFound()
      await access.require(caller, { to: 'admin', uid })
      await site.annotations.remove(id)
      return {}
    },
  )

  app.get(
    '/v1/stream/:uid/annotation/:id/snapshot',
    {
      config: { access: { to: 'viewArchive', from: 'params.uid' } },
      schema: { tags, params: EventOfStream, produces: pictureTypes },
    },
    async ({ params: { uid, id } }, reply) => {
      const snapshot = isEventId(id) ? await site.annotations.snapshot(uid, Number(id)) : undefined
      if (snapshot === undefined) throw notFound()
      if (isNotModified(reply, versionOf(snapshot.bytes))) return reply.send()
      return reply.type(snapshot.type).send(snapshot.bytes)
    },
  )

  app.get(
    '/v1/events/search',
    { config, schema: { tags, querystring: EventsQuery, response: { 200: EventPage } } },
    async ({ query: { page, streamId: uids = [], ...filter }, caller }) => {
      if (license.isExpired()) throw licenseExpired()
      for (const uid of new Set(uids)) await access.require(caller, { to: 'viewArchive', uid })
      return searchEvents(store, { ...filter, uids, streams: streamsOfArchive(caller) }, Math.max(1, page))
    },
  )
}
