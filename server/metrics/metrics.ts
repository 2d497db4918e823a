import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import { Gauge, Histogram, openMetricsContentType, Registry } from 'prom-client'
import { guarded } from '../guarded.ts'
import type { App } from '../http/fastify.ts'
import { addCounter, addGauge, type Metrics } from './measures.ts'

/** The interval of measurements that change slowly or are expensive. */
export const measureEveryMs = 15_000
const nanosecondsInSecond = 1e9
/** Seconds. A live playlist may wait half a second; downloads exceed the last bucket. */
const requestBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5]
/** Methods that HTTP doesn't define: callers can invent any. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const measureProcess = (metrics: Metrics, version: string): void => {
  const build = new Gauge({
    name: 'sightline_build_info',
    help: 'Always 1; the labels say which version runs',
    labelNames: ['version', 'node'],
    registers: [metrics],
  })
  build.set({ version, node: process.version }, 1)
  const startedAt = Math.round(performance.timeOrigin / 1000)
  addGauge(metrics, 'process_start_time_seconds', 'When the server was started, seconds since 1970', () => startedAt)
  addGauge(metrics, 'process_resident_memory_bytes', 'Memory of the process that answers calls', () =>
    process.memoryUsage.rss(),
  )
  addCounter(metrics, 'process_cpu_seconds', 'Processor time of the process that answers calls', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
}

const resolutionMs = 10

/** The event loop in the last whole 15 seconds, whatever the scrape interval. */
const measureLoop = (app: App, metrics: Metrics): void => {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  const gauge = new Gauge({
    name: 'sightline_event_loop_delay_seconds',
    help: 'How late the event loop came to its timers in the last 15 s',
    labelNames: ['quantile'],
    registers: [metrics],
  })
  const publish = (): void => {
    for (const quantile of [0.5, 0.99, 1]) {
      // Each measurement includes the time between two of them.
      const seconds = delay.percentile(quantile * 100) / nanosecondsInSecond - resolutionMs / 1000
      gauge.set({ quantile }, Math.max(0, seconds))
    }
    delay.reset()
  }
  delay.enable()
  const timer = setInterval(guarded('metrics: event loop', publish), measureEveryMs)
  timer.unref()
  app.addHook('onClose', () => {
    clearInterval(timer)
    delay.disable()
  })
}

const measureRequests = (app: App, metrics: Metrics): void => {
  const durations = new Histogram({
    name: 'sightline_http_request_duration_seconds',
    help: 'From the head of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: requestBuckets,
    registers: [metrics],
  })
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    durations.observe(
      {
        method: methods.has(method) ? method : 'other',
        // As declared, never as requested: otherwise callers could make any number of series.
        route: routeOptions.url ?? 'none',
        status: `${Math.floor(statusCode / 100)}xx`,
      },
      elapsedTime / 1000,
    )
  })
}

/** The registry of metrics, with those of the process and of HTTP. Plugins add their own. */
export const installMetrics = (app: App, version: string): Metrics => {
  const metrics: Metrics = new Registry()
  metrics.setContentType(openMetricsContentType)
  measureProcess(metrics, version)
  measureLoop(app, metrics)
  measureRequests(app, metrics)
  return metrics
}
