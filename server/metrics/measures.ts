import { Counter, Gauge, type OpenMetricsContentType, type Registry } from 'prom-client'

export type Metrics = Registry<OpenMetricsContentType>

/** Adds a number that is read when monitoring asks. */
export const addGauge = (metrics: Metrics, name: string, help: string, read: () => number): void =>
  metrics.registerMetric(
    new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(read())
      },
    }),
  )

/** Adds numbers by the values of a label, of which there must be few. */
export const addGauges = (
  metrics: Metrics,
  { name, help, label }: { name: string; help: string; label: string },
  read: () => Readonly<Record<string, number>>,
): void =>
  metrics.registerMetric(
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [],
      collect() {
        for (const [value, number] of Object.entries(read())) this.set({ [label]: value }, number)
      },
    }),
  )

/** Adds a number that only grows. OpenMetrics appends `_total` to its name. */
export const addCounter = (metrics: Metrics, name: string, help: string, read: () => number): void =>
  metrics.registerMetric(
    new Counter({
      name,
      help,
      registers: [],
      collect() {
        this.reset()
        this.inc(read())
      },
    }),
  )
