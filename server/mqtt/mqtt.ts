import type { SiteSnapshot } from '../alerts/happenings.ts'
import type { ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import { createSerialQueue } from '../store/serial-queue.ts'
import type { Site } from '../streams/site.ts'
import { connectBroker, type Broker, type Connection } from './broker.ts'
import type { MqttOptions } from './options.ts'
import { createPublishing, topicsOf } from './publishing.ts'

const checkEveryMs = 2000
/** A connection that comes back sooner is no reason to warn. */
const warnAfterMs = 30_000

export type Mqtt = { start: () => void; stop: () => Promise<void> }

/** Publishes the states of the streams and of the server, and what detectors find (docs/server.md, MQTT). */
export const createMqtt = (
  context: ServerContext,
  site: Site,
  watch: () => Promise<SiteSnapshot>,
  options: MqttOptions,
): Mqtt => {
  const { cluster, log, now, settings, healthSources } = context
  const topics = topicsOf(options.topic, cluster.isShared ? cluster.nodeId : undefined)
  const turns = createSerialQueue()
  let broker: Broker | undefined
  let timer: NodeJS.Timeout | undefined
  let disconnectedAt: number | undefined = now()

  const connection: Connection = {
    isConnected: () => broker?.isConnected() ?? false,
    publish: (topic, payload, isRetained) => broker?.publish(topic, payload, isRetained),
  }
  const publishing = createPublishing(topics, connection, now)
  let wasLeader = false

  const check = (): Promise<void> =>
    turns(async () => {
      // Of several servers the leader publishes what they all share.
      const isLeader = cluster.isLeader()
      if (isLeader && !wasLeader) publishing.republish()
      wasLeader = isLeader
      if (isLeader) {
        const { failing } = await watch()
        const streams = site.store.all().map((row) => ({ uid: row.uid, name: row.name, ...site.status(row) }))
        publishing.update(streams, failing)
      }
      publishing.greet()
    })
  const checkNow = guarded('mqtt: check', check)

  healthSources.push(() =>
    disconnectedAt !== undefined && now() - disconnectedAt > warnAfterMs
      ? [{ code: 'MQTT_AWAY', isPrivate: true }]
      : [],
  )
  site.eventListeners.push((events) => {
    for (const event of events) publishing.addEvent(event, site.store.find(event.streamId)?.name ?? event.streamId)
  })

  return {
    start: () => {
      broker = connectBroker(
        options,
        { clientId: `${options.topic}-${settings.nodeId}`, will: topics.server, subscriptions: [topics.allStreams] },
        {
          onConnect: () => {
            disconnectedAt = undefined
            log.info('MQTT: connected to the broker')
            publishing.republish()
            checkNow()
          },
          onMessage: publishing.noteRetained,
          onFailure: (reason) => {
            disconnectedAt = now()
            log.warn({ reason }, 'MQTT: no connection to the broker; it is tried again')
          },
        },
      )
      timer = setInterval(checkNow, checkEveryMs)
      timer.unref()
    },
    stop: async () => {
      clearInterval(timer)
      await turns(async () => undefined)
      await broker?.end()
    },
  }
}
