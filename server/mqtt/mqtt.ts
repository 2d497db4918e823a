import type { SiteSnapshot } from '../alerts/happenings.ts'
import type { ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import { ignoreDiskErrors } from '../store/background-writes.ts'
import { isWriteError } from '../store/disk-error.ts'
import { createRepeated, createSerialQueue } from '../store/serial-queue.ts'
import type { Site } from '../streams/site.ts'
import { connectBroker, type Broker } from './broker.ts'
import type { MqttDeliveryStore } from './delivery-store.ts'
import { wordsOf, type MqttFailure } from './failure.ts'
import type { MqttOptions } from './options.ts'
import { createOutbox } from './outbox.ts'
import { createPublishing, topicsOf } from './publishing.ts'

const checkEveryMs = 2000
/** A connection that comes back sooner is no reason to warn. */
const warnAfterMs = 30_000

/** Since when there is a connection, or none and why. `failure` is undefined before the first attempt has ended. */
type ConnectionState = { isConnected: boolean; since: number; failure: MqttFailure | undefined }

export type Mqtt = {
  start: () => Promise<void>
  connection: () => ConnectionState
  /** Publishes a test: resolves with why it failed, empty if the broker has it. */
  test: (signal: AbortSignal) => Promise<string>
  /** Writes the deliveries that have changed. */
  save: () => Promise<void>
  stop: () => Promise<void>
}

/** Publishes the states of the streams and of the server, and what detectors find (docs/server.md, MQTT). */
export const createMqtt = (
  context: ServerContext,
  site: Site,
  takeSnapshot: () => Promise<SiteSnapshot>,
  { options, deliveries }: { options: MqttOptions; deliveries: MqttDeliveryStore },
): Mqtt => {
  const { cluster, log, now, settings, healthSources } = context
  const { nodeId } = settings
  const topics = topicsOf(options.topic, cluster.isShared ? cluster.nodeId : undefined)
  const turns = createSerialQueue()
  let isStopped = false
  let broker: Broker | undefined
  let timer: NodeJS.Timeout | undefined
  let state: ConnectionState = { isConnected: false, since: now(), failure: undefined }

  const outbox = createOutbox(
    {
      isConnected: () => broker?.isConnected() ?? false,
      publish: (message, confirm) => broker?.publish(message, confirm),
    },
    { nodeId, now },
  )
  const publishing = createPublishing(topics, outbox.publish, now)
  let wasLeader = false

  const save = async (): Promise<void> => {
    const changed = outbox.takeUnwritten()
    if (changed.length === 0) return
    try {
      await deliveries.save(changed)
    } catch (error) {
      outbox.putBack(changed)
      if (!isWriteError(error)) throw error
    }
  }

  /**
   * In a cluster only the leader publishes what the nodes share. While the database is away there is no leader; the
   * last one continues.
   */
  const followLeader = (): boolean => {
    const isLeader = cluster.isLeader() || (wasLeader && context.store.isAway())
    if (!isLeader) outbox.leaveStates(topics.server)
    else if (!wasLeader) publishing.takeOver()
    wasLeader = isLeader
    return isLeader
  }

  const check = (): Promise<void> =>
    turns(async () => {
      if (isStopped) return
      if (followLeader()) {
        const { failing } = await takeSnapshot()
        const streams = site.store.all().map((row) => ({ uid: row.uid, name: row.name, ...site.status(row) }))
        if (followLeader()) publishing.update(streams, failing)
      }
      publishing.greet()
      outbox.retryStates()
      await save()
    })
  /** While a check takes long, only one more waits. */
  const checkNow = guarded('mqtt: check', createRepeated(check))

  healthSources.push(() =>
    !state.isConnected && now() - state.since > warnAfterMs ? [{ code: 'MQTT_AWAY', isPrivate: true }] : [],
  )
  site.eventListeners.push((events) => {
    for (const event of events) publishing.addEvent(event, site.store.find(event.streamId)?.name ?? event.streamId)
  })

  const handleFailure = (failure: MqttFailure): void => {
    if (state.failure !== failure || state.isConnected)
      log.warn({ reason: wordsOf(failure) }, 'MQTT: no connection to the broker; it is tried again')
    state = { isConnected: false, since: state.isConnected ? now() : state.since, failure }
    outbox.handleFailure(failure)
  }

  return {
    start: async () => {
      await ignoreDiskErrors(async () => outbox.load(await deliveries.waiting(nodeId)))
      if (isStopped) return
      broker = connectBroker(
        options,
        { clientId: `${options.topic}-${nodeId}`, will: topics.server, subscriptions: [topics.allStreams], now },
        {
          onConnect: () => {
            state = { isConnected: true, since: now(), failure: undefined }
            log.info('MQTT: connected to the broker')
            followLeader()
            outbox.handleConnection()
            publishing.republish()
            checkNow()
          },
          onMessage: publishing.noteRetained,
          onFailure: handleFailure,
        },
      )
      timer = setInterval(checkNow, checkEveryMs)
      timer.unref()
    },
    connection: () => state,
    test: (signal) => {
      broker?.retry()
      const payload = JSON.stringify({ time: new Date(now()).toISOString() })
      return outbox.publishOnce({ topic: topics.test, payload, isRetained: false }, signal)
    },
    save: () => turns(save),
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await turns(async () => undefined)
      outbox.stop()
      await broker?.end()
      await save()
    },
  }
}
