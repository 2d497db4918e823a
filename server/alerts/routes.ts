import * as z from 'zod/mini'
import {
  Alert,
  AlertDeliveries,
  AlertDeliveriesQuery,
  AlertBody,
  AlertPatch,
  Alerts,
  AlertTested,
} from '../../src/api/contract/alerts.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { newId } from '../access/secrets.ts'
import { readServerKey } from '../access/shares.ts'
import type { ServerContext } from '../context.ts'
import { minuteMs } from '../durations.ts'
import { notFound, validationError } from '../http/api-error.ts'
import type { App } from '../http/fastify.ts'
import { maskSecrets } from '../http/log.ts'
import type { Site } from '../streams/site.ts'
import { createAlertStore } from './alert-store.ts'
import { createDeliveryStore, type Delivery } from './delivery-store.ts'
import { deliveriesPageSize } from './kept-deliveries.ts'
import { destinationsOf, hiddenSecret } from './destinations.ts'
import { createAlertEngine, type AlertEngine } from './engine.ts'
import { itemOf, type SiteSnapshot, type StoredAlert } from './happenings.ts'
import { pushKeyOf, pushOriginOf } from './push.ts'
import { quietHoursOf } from './quiet-hours.ts'
import { createSend } from './send.ts'

const tags = ['alerts']
const config = { access: { to: 'administrator' } } as const
const Id = z.object({ id: z.string() })
const bodyLimit = 128 * 1024
const testLimit = { max: 20, timeWindow: minuteMs }
const testTimeoutMs = 20_000
/** Older events are imports, of which nobody is notified. */
const maxEventAgeMs = 10 * minuteMs
/** Of a delivery in the list, which has a page of them. */
const maxItems = 5

const answerOf = ({ id, name, on, streams, labels, quietMinutes, to, quietHours }: StoredAlert) => ({
  id,
  name,
  on,
  streams,
  labels,
  quietMinutes,
  to: to.map(({ kind, address, secret }) => ({
    kind,
    address,
    ...(secret === '' ? {} : { secret: hiddenSecret }),
  })),
  ...(quietHours === null ? {} : { quietHours }),
})

const deliveryOf = ({ id, alert, name, kind, address, happenings, total, ...rest }: Delivery) => ({
  id,
  alertId: alert,
  alertName: name,
  kind,
  address: kind === 'push' ? pushOriginOf(address) : maskSecrets(address),
  on: [...new Set(happenings.map(({ on }) => on))],
  items: happenings.slice(0, maxItems).map(itemOf),
  streamName: total === 1 ? (happenings[0]?.streamName ?? '') : '',
  total,
  createTime: rest.created,
  status: rest.status,
  attempts: rest.attempts,
  ...(rest.ended === 0 ? {} : { endTime: rest.ended }),
  ...(rest.next === 0 ? {} : { nextTime: rest.next }),
  failureReason: rest.reason,
})

export const alertRoutes = (
  app: App,
  context: ServerContext,
  site: Site,
  takeSnapshot: () => Promise<SiteSnapshot>,
): AlertEngine => {
  const { features, now, store } = context
  features.add('alerts').add('alert-deliveries').add('alert-quiet-hours')
  const alerts = createAlertStore(store)
  const deliveries = createDeliveryStore(store)
  const pushKey = pushKeyOf(readServerKey(context.dataDir))
  const send = createSend({ ...context, pushKey, allowsLoopback: () => site.allowLoopback })
  const engine = createAlertEngine({
    alerts,
    deliveries,
    takeSnapshot,
    send,
    now,
    cluster: context.cluster,
    isDatabaseAway: store.isAway,
  })
  site.eventListeners.push((events) => {
    engine.handleEvents(
      events
        .filter(({ time }) => now() - time < maxEventAgeMs)
        .map(({ streamId, label, time }) => ({
          streamId,
          streamName: site.store.find(streamId)?.name ?? streamId,
          label,
          time,
        })),
    )
  })

  const requireAlert = async (id: string): Promise<StoredAlert> => {
    const alert = await alerts.find(id)
    if (alert === undefined) throw notFound()
    return alert
  }

  /** An alert may keep streams that were removed: an empty list would mean all streams. */
  const requireStreams = (streams: readonly string[], before: readonly string[] = []): void => {
    const index = streams.findIndex((uid) => !before.includes(uid) && site.store.find(uid) === undefined)
    if (index !== -1) throw validationError({ [`streams.${index}`]: 'Unknown stream' })
  }

  app.get('/v1/alerts', { config, schema: { tags, response: { 200: Alerts } } }, async () => ({
    items: (await alerts.list()).map(answerOf),
    pushKey: pushKey.publicKey,
  }))

  app.post(
    '/v1/alerts',
    { config, bodyLimit, schema: { tags, body: AlertBody, response: { 200: Alert } } },
    async ({ body }) => {
      requireStreams(body.streams)
      const quietHours = quietHoursOf(body.quietHours)
      const to = await destinationsOf(body.to, [], site.allowLoopback)
      const added = await alerts.add({ ...body, to, quietHours }, now())
      await engine.readAlerts()
      return answerOf(added)
    },
  )

  app.patch(
    '/v1/alert/:id',
    { config, bodyLimit, schema: { tags, params: Id, body: AlertPatch, response: { 200: Alert } } },
    async ({ params, body }) => {
      const before = await requireAlert(params.id)
      requireStreams(body.streams ?? [], before.streams)
      const quietHours = body.quietHours == null ? before.quietHours : quietHoursOf(body.quietHours)
      const to = body.to === undefined ? before.to : await destinationsOf(body.to, before.to, site.allowLoopback)
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
      const changed: StoredAlert = { ...before, ...given, to, quietHours }
      await alerts.change(changed)
      await engine.readAlerts()
      return answerOf(changed)
    },
  )

  app.delete(
    '/v1/alert/:id',
    { config, schema: { tags, params: Id, response: { 200: nothing } } },
    async ({ params }) => {
      if (!(await alerts.remove(params.id))) throw notFound()
      return {}
    },
  )

  app.post(
    '/v1/alert/:id/test',
    { config: { ...config, rateLimit: testLimit }, schema: { tags, params: Id, response: { 200: AlertTested } } },
    async ({ params }) => {
      const { id: alert, name, to } = await requireAlert(params.id)
      const signal = AbortSignal.timeout(testTimeoutMs)
      const items = to.map(async (destination) => {
        const message = { id: newId(), alert, name, happenings: [], total: 0, ...destination }
        const outcome = await send(message, signal)
        const { kind, address } = destination
        return { kind, address, sent: outcome.isSent, failureReason: outcome.isSent ? '' : outcome.reason }
      })
      return { items: await Promise.all(items) }
    },
  )

  app.get(
    '/v1/alert-deliveries',
    { config, schema: { tags, querystring: AlertDeliveriesQuery, response: { 200: AlertDeliveries } } },
    async ({ query }) => {
      const page = Math.max(1, query.page)
      const { items, total } = await deliveries.page(page)
      return { items: items.map(deliveryOf), page, pageSize: deliveriesPageSize, total }
    },
  )
  return engine
}
