import { Gauge, Histogram } from 'prom-client'
import type { ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import type { App } from '../http/fastify.ts'
import { addCounter, addGauge, addGauges } from '../metrics/measures.ts'
import { measureEveryMs } from '../metrics/metrics.ts'
import { measureTools } from '../metrics/tools.ts'
import { countByState } from './port.ts'
import type { Site } from './site.ts'

/** Seconds. A disk syncs within milliseconds; from a second on, live is late. */
const lagBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 15]

/** The streams of this node only, as monitoring adds up what all nodes report. */
const countOwn = ({ cluster }: ServerContext, site: Site) =>
  countByState(
    site,
    site.store.all().filter(({ uid }) => cluster.tenureOf(uid) !== undefined),
  )

const measureCameras = (context: ServerContext, site: Site, lostMs: () => number): void => {
  const { metrics, streams } = context
  const byState = { name: 'sightline_cameras', help: 'Streams by state', label: 'state' }
  addGauges(metrics, byState, () => countOwn(context, site))
  addGauge(metrics, 'sightline_viewers', 'Viewers of live video; who watches two streams counts twice', streams.viewers)
  addCounter(
    metrics,
    'sightline_lost_seconds',
    'Seconds that archived streams should have been recorded and were not, since the start and while down before it',
    () => lostMs() / 1000,
  )
  addCounter(
    metrics,
    'sightline_recorded_bytes',
    'Bytes of video recorded or shown live, since the start',
    streams.recordedBytes,
  )
  addGauge(
    metrics,
    'sightline_spool_bytes',
    'Bytes of recordings that have no row in the index yet',
    site.index.unindexedBytes,
  )
}

const measureProcesses = (app: App, { metrics, streams }: ServerContext): void => {
  addGauge(metrics, 'sightline_ingest_workers', 'Ingest workers', () => streams.workers().length)
  addGauge(metrics, 'sightline_ingest_workers_memory_bytes', 'Memory of the ingest workers', () =>
    streams.workers().reduce((sum, { bytes }) => sum + bytes, 0),
  )
  const registers = [metrics]
  const count = new Gauge({
    name: 'sightline_ffmpeg_processes',
    help: 'Running processes of ffmpeg and ffprobe',
    registers,
  })
  const bytes = new Gauge({
    name: 'sightline_ffmpeg_memory_bytes',
    help: 'Memory of the processes of ffmpeg and ffprobe',
    registers,
  })
  const update = async (): Promise<void> => {
    const facts = await measureTools()
    count.set(facts.count)
    bytes.set(facts.bytes)
  }
  const timer = setInterval(guarded('metrics: ffmpeg', update), measureEveryMs)
  timer.unref()
  app.addHook('onClose', () => clearInterval(timer))
}

const measureLag = ({ metrics, now }: ServerContext, site: Site): void => {
  const lag = new Histogram({
    name: 'sightline_ingest_lag_seconds',
    help: 'From the last bytes of a segment until live and archive have it',
    buckets: lagBuckets,
    registers: [metrics],
  })
  site.segmentListeners.push((recording) => {
    const arrivedAt = site.supervisor(recording)?.live.newest()?.segment.arrivedAt
    if (arrivedAt !== undefined) lag.observe(Math.max(0, now() - arrivedAt) / 1000)
  })
}

export const measureSite = (app: App, context: ServerContext, site: Site, lostMs: () => number): void => {
  measureCameras(context, site, lostMs)
  measureProcesses(app, context)
  measureLag(context, site)
}
