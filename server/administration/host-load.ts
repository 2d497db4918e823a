import { readFile, statfs } from 'node:fs/promises'
import { cpus } from 'node:os'
import { monotonicNow } from '../monotonic.ts'

/** Milliseconds of all processors since the machine started. */
const cpuTimes = (): { idle: number; total: number } => {
  let idle = 0
  let total = 0
  for (const { times } of cpus()) {
    idle += times.idle
    total += times.user + times.nice + times.sys + times.idle + times.irq
  }
  return { idle, total }
}

/** Returns a function that returns the load of all processors since its last call, in percent. */
export const createCpuLoad = (): (() => number) => {
  let before = cpuTimes()
  return () => {
    const after = cpuTimes()
    const total = after.total - before.total
    const percent = total === 0 ? 0 : Math.round((1 - (after.idle - before.idle) / total) * 1000) / 10
    before = after
    return percent
  }
}

/** Measures at most once a second, as callers share one period; within a second they get the same value. */
export const createGauge = (measure: () => number, now = monotonicNow): (() => number) => {
  let last = -Infinity
  let value = 0
  return () => {
    if (now() - last < 1000) return value
    last = now()
    value = measure()
    return value
  }
}

/** The load of all processors since its last measurement, in percent. */
export const cpuPercent = createGauge(createCpuLoad())

/** A minute of samples. */
const minSamples = 4

export type Overload = {
  add: (cpuPercent: number) => void
  /** How many samples the overload has lasted; 0: there is none. */
  overloadedSamples: () => number
}

/** Overloaded: the last four samples of all processors reached `maxPercent`; 0: never. */
export const createOverload = (maxPercent: () => number): Overload => {
  let reached = 0
  return {
    add: (cpu) => {
      reached = maxPercent() > 0 && cpu >= maxPercent() ? reached + 1 : 0
    },
    overloadedSamples: () => (maxPercent() > 0 ? Math.max(0, reached - minSamples + 1) : 0),
  }
}

/** Usage of the file system that a folder is on; the part reserved for root counts as used. */
export const diskOf = async (folder: string): Promise<{ usedBytes: number; totalBytes: number }> => {
  const { blocks, bsize, bavail } = await statfs(folder)
  return { usedBytes: (blocks - bavail) * bsize, totalBytes: blocks * bsize }
}

export const usedPercent = ({ usedBytes, totalBytes }: { usedBytes: number; totalBytes: number }): number =>
  totalBytes === 0 ? 0 : Math.round((usedBytes / totalBytes) * 100)

/** Bytes over all interfaces but loopback since the machine started, from the text of /proc/net/dev. */
export const sumNetwork = (text: string): { received: number; sent: number } => {
  const sum = { received: 0, sent: 0 }
  for (const line of text.split('\n')) {
    const [name, counters] = line.split(':')
    if (counters === undefined || name?.trim() === 'lo') continue
    const numbers = counters.trim().split(/\s+/).map(Number)
    sum.received += numbers[0] ?? 0
    sum.sent += numbers[8] ?? 0
  }
  return sum
}

/** Undefined where the system has no /proc. */
export const readNetwork = (): Promise<{ received: number; sent: number } | undefined> =>
  readFile('/proc/net/dev', 'utf8').then(sumNetwork, () => undefined)
