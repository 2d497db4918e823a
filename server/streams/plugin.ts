import type { ServerPlugin, ServerContext } from '../context.ts'
import { lastSampleAt } from '../administration/samples.ts'
import type { AlertEngine } from '../alerts/engine.ts'
import { alertRoutes } from '../alerts/routes.ts'
import { createSiteSnapshots } from '../alerts/site-snapshot.ts'
import { archiveFactRoutes } from '../archive/playback/archive-fact-routes.ts'
import { archiveRoutes } from '../archive/playback/archive-routes.ts'
import { createCompatible } from '../archive/playback/compatible.ts'
import { eventRoutes } from '../archive/events/event-routes.ts'
import { compatibleRoutes } from '../archive/playback/compatible-routes.ts'
import { watchHandIn } from '../archive/index/hand-in-health.ts'
import { lockRoutes } from '../archive/retention/lock-routes.ts'
import { recordingRoutes } from '../archive/retention/recording-routes.ts'
import { retentionRoutes } from '../archive/retention/retention-routes.ts'
import { warnOfLocked } from '../archive/retention/locked-bytes.ts'
import { createRetention } from '../archive/retention/retention.ts'
import { createBucketCheck } from '../archive/repair/bucket-check.ts'
import { watchScenes } from '../archive/playback/scene-changes.ts'
import { exchangeChunks } from '../archive/index/node-chunks.ts'
import { liveRoutes } from '../archive/playback/live-routes.ts'
import { createSending } from '../archive/playback/sending.ts'
import { checkVolumes, warnOfVolumes } from '../archive/retention/volume-health.ts'
import { seedDemo } from '../demo/seed.ts'
import { exportRoutes } from '../exports/routes.ts'
import { type DiscoveryNetwork, localNetworks } from '../onvif/discovery.ts'
import { createCameras } from '../onvif/cameras.ts'
import { ptzRoutes } from '../onvif/ptz-routes.ts'
import { onvifRoutes } from '../onvif/routes.ts'
import { mqttRoutes } from '../mqtt/routes.ts'
import { createMotionIndexer } from '../motion/motion-index.ts'
import { motionRoutes } from '../motion/routes.ts'
import type { MqttOptions } from '../mqtt/options.ts'
import { previewRoutes } from './preview-routes.ts'
import { connectHost } from '../ingest/here.ts'
import { createLeaseCalls } from './lease-calls.ts'
import { createLostTimes } from './lost-time.ts'
import { measureSite } from './metrics.ts'
import { reportedFacts } from './stream-facts.ts'
import { createIngestPool, type PoolOptions } from '../ingest/pool.ts'
import { createStreamsPort } from './port.ts'
import { createSite, type Site } from './site.ts'
import { streamRoutes } from './stream-routes.ts'

export type StreamsOptions = {
  /** Whether sources on this machine are allowed, whatever the configuration says; for tests. */
  allowLoopback?: boolean
  /** Where ingest hosts run; by default in this process. */
  ingest?: PoolOptions
  /** The broker that states and events are published to. */
  mqtt?: MqttOptions
  /** Whether recordings get a motion index. */
  isMotionIndexed?: boolean
  /** Where cameras are searched for, by default in the local networks. */
  cameraNetwork?: DiscoveryNetwork
  onSite?: (site: Site) => void
  onAlerts?: (alerts: AlertEngine) => void
  /** `started` resolves once the streams are started, retention has run once and the demo streams are seeded. */
  onStart?: (started: Promise<void>) => void
}

const warnOfClock = ({ healthSources, now }: ServerContext, site: Site): void => {
  let recordedUntil = 0
  site.clockListeners.push((until) => {
    recordedUntil = Math.max(recordedUntil, until)
  })
  healthSources.push(() => (now() < recordedUntil ? [{ code: 'CLOCK_STEPPED_BACK' }] : []))
}

export const createStreamsPlugin = (options: StreamsOptions = {}): ServerPlugin => {
  // Workers start while the server is built.
  const workers = options.ingest === undefined ? undefined : createIngestPool(options.ingest)
  return async (app, context) => {
    const pool = workers ?? createIngestPool({ connect: connectHost(context.now) })
    context.cluster.onClockCorrection(pool.setClockAhead)
    // What a node of a cluster doesn't record, another one does.
    const lastUpAt = context.cluster.isShared ? undefined : await lastSampleAt(context.store, context.now())
    const lostTimes = createLostTimes(context.now, lastUpAt)
    const site = await createSite(context, {
      pool,
      lostTimes,
      get allowLoopback() {
        return options.allowLoopback ?? context.settings.allowLoopbackSources
      },
    })
    options.onSite?.(site)
    context.streams = createStreamsPort(context, site, createLeaseCalls(app, context, site))
    if (context.cluster.isShared) {
      context.cluster.factSources.push(() => reportedFacts(context, site))
      context.changes.follow(['streams'], site.reload)
    }
    exchangeChunks(app, context, site.volumes)
    measureSite(app, context, site, lostTimes.totalMs)
    streamRoutes(app, context, site)
    previewRoutes(app, context, site)
    onvifRoutes(app, context, site, options.cameraNetwork ?? localNetworks)
    const cameras = createCameras(context, site)
    ptzRoutes(app, context, site, cameras)
    const sending = createSending()
    const compatible = createCompatible(context, (uid) => site.store.find(uid)?.masks ?? [])
    liveRoutes(app, context, site, sending, compatible)
    compatibleRoutes(app, context, site, sending, compatible)
    archiveRoutes(app, context, site, sending)
    archiveFactRoutes(app, context, site)
    eventRoutes(app, context, site)
    motionRoutes(app, context, site)
    lockRoutes(app, context, site)
    recordingRoutes(app, context, site)
    await retentionRoutes(app, context, site)
    const retention = createRetention(context, site)
    warnOfLocked(context, retention)
    const exports = await exportRoutes(app, context, site, sending, retention)
    const takeSnapshot = createSiteSnapshots(context, site)
    const alerts = alertRoutes(app, context, site, takeSnapshot)
    options.onAlerts?.(alerts)
    const mqtt = await mqttRoutes(app, context, site, { takeSnapshot, options: options.mqtt })
    warnOfClock(context, site)
    context.healthSources.push(() => {
      const donePercent = site.repackedPercent()
      return donePercent === undefined ? [] : [{ code: 'ARCHIVE_TAKEOVER', donePercent, isPrivate: true }]
    })

    warnOfVolumes(context, site)
    checkVolumes(context, site)
    watchHandIn(context, site)
    const { store, cluster, log, now } = context
    const bucketCheck = createBucketCheck({
      store,
      index: site.index,
      volumes: site.volumes,
      isLeader: () => cluster.isLeader(),
      now,
      info: (detail, message) => log.info(detail, message),
      warn: (detail, message) => log.warn(detail, message),
    })

    watchScenes(site)
    const motion = options.isMotionIndexed === true ? createMotionIndexer(context, site) : undefined
    const stopping = new AbortController()
    let isStarted = false
    context.readyChecks.push({ name: 'ingest', isOk: () => isStarted && pool.isWell() })
    /** What can't start doesn't keep the rest from starting. */
    const attempt = async (name: string, work: Promise<unknown> | undefined): Promise<void> => {
      try {
        await work
      } catch (error) {
        // Stopping interrupts the demo archive; the next start resumes it.
        if (stopping.signal.aborted) return
        context.log.error({ err: new Error('It is not tried again', { cause: error }) }, `${name} not started`)
      }
    }
    const startAll = async (): Promise<void> => {
      await site.start()
      isStarted = true
      pool.closeIdle()
      await Promise.all([
        attempt('exports', exports.start()),
        attempt('alerts', alerts.start()),
        attempt('MQTT', mqtt?.start()),
      ])
      await attempt('retention', retention.sweep())
      if (context.settings.demo && context.cluster.isLeader())
        await attempt('demo archive', seedDemo(context, site, stopping.signal))
      motion?.start()
    }
    const started = attempt('streams', startAll())
    options.onStart?.(started)
    app.addHook('onClose', async () => {
      stopping.abort()
      await exports.stop()
      await alerts.stop()
      await mqtt?.stop()
      await cameras.stop()
      await motion?.stop()
      await bucketCheck.stop()
      await site.stop()
      pool.closeIdle()
      await started
      await retention.stop()
    })
  }
}

export const streamsPlugin: ServerPlugin = createStreamsPlugin()
