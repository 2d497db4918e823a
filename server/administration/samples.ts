import { freemem, totalmem } from 'node:os'
import * as z from 'zod/mini'
import type { Series } from '../../src/api/contract/system.ts'
import type { ServerContext } from '../context.ts'
import { dayMs } from '../durations.ts'
import { monotonicNow } from '../monotonic.ts'
import { query, type Store } from '../store/store.ts'
import { createCpuLoad, diskOf, readNetwork } from './host-load.ts'

const measures = [
  { name: 'CPU', unit: 'percent', column: 'cpu' },
  { name: 'Memory', unit: 'bytes', column: 'memory' },
  { name: 'Disk', unit: 'bytes', column: 'disk' },
  { name: 'Network received', unit: 'bytes/s', column: 'received' },
  { name: 'Network sent', unit: 'bytes/s', column: 'sent' },
  { name: 'Streams running', unit: '', column: 'running' },
  { name: 'Streams pending', unit: '', column: 'pending' },
  { name: 'Streams paused', unit: '', column: 'paused' },
  { name: 'Streams failed', unit: '', column: 'failed' },
  { name: 'Viewers', unit: '', column: 'viewers' },
  { name: 'Recorded', unit: 'bytes/s', column: 'recorded' },
] as const

type Column = (typeof measures)[number]['column']
export type Sample = Record<Column, number | null>

export const sampleEveryMs = 15_000
const keptMs = 7 * dayMs
const maxPoints = 600
/** After a longer interval without a sample the server counts as having been down. */
const outageMs = 60_000

const columns = measures.map(({ column }) => column)
export const statisticsSteps: readonly string[] = [
  `CREATE TABLE samples (
    time INTEGER PRIMARY KEY, cpu REAL, memory REAL, disk REAL, received REAL, sent REAL,
    running REAL, pending REAL, paused REAL, failed REAL, viewers REAL, recorded REAL
  ) STRICT`,
  // `node`: that of a cluster; empty for one server alone.
  `ALTER TABLE samples RENAME TO samples_alone;
  CREATE TABLE samples (
    node TEXT NOT NULL, time INTEGER NOT NULL, cpu REAL, memory REAL, disk REAL, received REAL, sent REAL,
    running REAL, pending REAL, paused REAL, failed REAL, viewers REAL, recorded REAL, PRIMARY KEY (node, time)
  ) STRICT;
  INSERT INTO samples (
    node, time, cpu, memory, disk, received, sent, running, pending, paused, failed, viewers, recorded
  ) SELECT '', time, cpu, memory, disk, received, sent, running, pending, paused, failed, viewers, recorded
  FROM samples_alone;
  DROP TABLE samples_alone;`,
]

const LastRow = z.object({ time: z.nullable(z.number()) })

/**
 * The time of the newest sample of a server alone, which takes one every `sampleEveryMs`; undefined without any. Those
 * after `now` are of a clock that was wrong.
 */
export const lastSampleAt = async (store: Store, now: number): Promise<number | undefined> =>
  (await store.get(LastRow, "SELECT max(time) AS time FROM samples WHERE node = '' AND time <= ?", now))?.time ??
  undefined

const Bucket = z.record(z.string(), z.nullable(z.number()))
const hundredth = (value: number): number => Math.round(value * 100) / 100

export type SampleStore = {
  add: (time: number, sample: Sample) => Promise<void>
  /** Means over equal intervals, about 600 points at most; null where the server was down. Empty without samples. */
  series: (from: number, to: number, node?: string) => Promise<Series['series']>
}

/** `own`: the node that takes the samples; empty for one server alone. */
export const createSampleStore = async (store: Store, own: string): Promise<SampleStore> => {
  const placeholders = columns.map(() => '?').join(', ')
  const replaced = columns.map((column) => `${column} = excluded.${column}`).join(', ')
  const insert = `INSERT INTO samples (node, time, ${columns.join(', ')}) VALUES (?, ?, ${placeholders})
    ON CONFLICT (node, time) DO UPDATE SET ${replaced}`
  const means = query(
    store,
    Bucket,
    `SELECT CAST(time / ?1 AS INTEGER) AS bucket, ${columns.map((column) => `avg(${column}) AS ${column}`).join(', ')}
     FROM samples WHERE node = ?4 AND time >= ?2 AND time < ?3 GROUP BY bucket ORDER BY bucket`,
  )
  return {
    add: async (time, sample) => {
      await store.run(insert, own, time, ...columns.map((column) => sample[column]))
      await store.run('DELETE FROM samples WHERE node = ? AND time < ?', own, time - keptMs)
    },
    series: async (from, to, node = own) => {
      const widthMs = Math.max(sampleEveryMs, Math.ceil((to - from) / maxPoints))
      const rows = await means.all(widthMs, from, to, node)
      if (rows.length === 0) return []
      return measures.map(({ name, unit, column }) => {
        const points: [number, number | null][] = []
        for (const row of rows) {
          const time = (row['bucket'] ?? 0) * widthMs
          const previous = points.at(-1)?.[0] ?? time
          if (time - previous > Math.max(outageMs, 2 * widthMs)) points.push([previous + widthMs, null])
          const value = row[column] ?? null
          points.push([time, value === null ? null : hundredth(value)])
        }
        return { name, unit, points }
      })
    },
  }
}

export const createSampler = (context: Pick<ServerContext, 'dataDir' | 'streams'>): (() => Promise<Sample>) => {
  const cpuPercent = createCpuLoad()
  let before: { at: number; network: Awaited<ReturnType<typeof readNetwork>>; recorded: number } | undefined

  return async () => {
    const network = await readNetwork()
    const { usedBytes } = await diskOf(context.dataDir)
    const after = { at: monotonicNow(), network, recorded: context.streams.recordedBytes() }
    const seconds = before === undefined ? 0 : (after.at - before.at) / 1000
    const rate = (now: number | undefined, then: number | undefined): number | null =>
      now === undefined || then === undefined || seconds <= 0 ? null : Math.max(0, (now - then) / seconds)
    const sample = {
      cpu: cpuPercent(),
      memory: totalmem() - freemem(),
      disk: usedBytes,
      received: rate(network?.received, before?.network?.received),
      sent: rate(network?.sent, before?.network?.sent),
      ...context.streams.count(),
      viewers: context.streams.viewers(),
      recorded: rate(after.recorded, before?.recorded),
    }
    before = after
    return sample
  }
}
