import { AlertDeliveriesQuery } from '../../src/api/contract/alerts.ts'
import { MqttDeliveries, MqttTested } from '../../src/api/contract/mqtt.ts'
import type { SiteSnapshot } from '../alerts/happenings.ts'
import type { ServerContext } from '../context.ts'
import { minuteMs } from '../durations.ts'
import { featureNotFound } from '../http/api-error.ts'
import type { App } from '../http/fastify.ts'
import type { Site } from '../streams/site.ts'
import { createMqttDeliveryStore, type Delivery } from './delivery-store.ts'
import { deliveriesPageSize } from '../alerts/kept-deliveries.ts'
import { createMqtt, type Mqtt } from './mqtt.ts'
import type { MqttOptions } from './options.ts'
import { topicsOf } from './publishing.ts'

const tags = ['alerts']
const config = { access: { to: 'administrator' } } as const
const testLimit = { max: 20, timeWindow: minuteMs }
const testTimeoutMs = 20_000

const answerOf = ({ id, nodeId, topic, payload, isRetained, ...rest }: Delivery) => ({
  id,
  nodeId,
  topic,
  payload,
  retained: isRetained,
  createTime: rest.created,
  status: rest.status,
  attempts: rest.attempts,
  ...(rest.ended === 0 ? {} : { endTime: rest.ended }),
  failureReason: rest.reason,
})

const addressOf = ({ host, port, isSecure }: MqttOptions): string =>
  `${isSecure ? 'mqtts' : 'mqtt'}://${host.includes(':') ? `[${host}]` : host}:${port}`

/** What is published to the broker of the site: undefined without one. */
export const mqttRoutes = async (
  app: App,
  context: ServerContext,
  site: Site,
  { takeSnapshot, options }: { takeSnapshot: () => Promise<SiteSnapshot>; options: MqttOptions | undefined },
): Promise<Mqtt | undefined> => {
  const deliveries = createMqttDeliveryStore(context.store)
  const mqtt = options === undefined ? undefined : createMqtt(context, site, takeSnapshot, { options, deliveries })
  if (mqtt !== undefined) context.features.add('mqtt')

  app.get(
    '/v1/mqtt-deliveries',
    { config, schema: { tags, querystring: AlertDeliveriesQuery, response: { 200: MqttDeliveries } } },
    async ({ query }) => {
      if (mqtt === undefined || options === undefined) throw featureNotFound()
      const page = Math.max(1, query.page)
      await mqtt.save()
      const { items, total } = await deliveries.page(page)
      const { isConnected: connected, since: time, failure: failureReason = '' } = mqtt.connection()
      return {
        items: items.map(answerOf),
        page,
        pageSize: deliveriesPageSize,
        total,
        connection: { address: addressOf(options), topic: options.topic, connected, time, failureReason },
      }
    },
  )

  app.post(
    '/v1/mqtt/test',
    { config: { ...config, rateLimit: testLimit }, schema: { tags, response: { 200: MqttTested } } },
    async () => {
      if (mqtt === undefined || options === undefined) throw featureNotFound()
      const failureReason = await mqtt.test(AbortSignal.timeout(testTimeoutMs))
      return { topic: topicsOf(options.topic, undefined).test, sent: failureReason === '', failureReason }
    },
  )
  return mqtt
}
