import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { constants, setPriority } from 'node:os'
import process from 'node:process'
import { quantile } from '../../bench/figures.ts'
import { atEnd } from './endings.ts'
import { call, keptConnections } from './calls.ts'
import { callerOf, type Space } from './space.ts'

/**
 * An answer of GET /v1/system/health: the time of the request in epoch milliseconds, and its duration. `status` 0: no
 * answer.
 */
type Sample = { at: number; status: number; ms: number }

/** `p50`, `p99` and `worst` in milliseconds. `summary`: all of it as text. */
type Health = { count: number; lost: number; p50: number; p99: number; worst: number; summary: string }

/** The statistics since a moment. A lost answer counts as the longest. */
export type HealthWatch = { since: (moment: number) => Health; stop: () => void }

const givenUpMs = 30_000

const healthOf = (samples: readonly Sample[]): Health => {
  const times = samples.map(({ ms, status }) => (status === 200 ? ms : givenUpMs)).toSorted((a, b) => a - b)
  const [p50, p99, worst] = [quantile(times, 0.5), quantile(times, 0.99), times.at(-1) ?? givenUpMs].map(Math.round)
  const found = {
    count: samples.length,
    lost: samples.filter(({ status }) => status !== 200).length,
    p50: p50 ?? 0,
    p99: p99 ?? 0,
    worst: worst ?? 0,
  }
  const lost = found.lost === 0 ? '' : `, ${found.lost} of ${found.count} without an answer`
  return { ...found, summary: `health p50 ${found.p50} ms, p99 ${found.p99} ms, worst ${found.worst} ms${lost}` }
}

/** Requests health every `everyMs` from a separate process, without waiting for the last answer. */
export const watchHealth = (space: Space, origin: string, everyMs = 100): HealthWatch => {
  const samples: Sample[] = []
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', import.meta.filename, origin, String(everyMs), callerOf(space, 249)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  // As important as the server: a sample that waits for the processor would count against it.
  if (process.getuid?.() === 0) setPriority(child.pid ?? 0, constants.priority.PRIORITY_NORMAL)
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [at = 0, status = 0, ms = 0] = line.split(' ').map(Number)
    samples.push({ at, status, ms })
  })
  const stop = atEnd(() => void child.kill('SIGKILL'))
  return { since: (moment) => healthOf(samples.filter(({ at }) => at >= moment)), stop }
}

if (import.meta.main) {
  const [origin = '', every = '100', from = ''] = process.argv.slice(2)
  const agent = keptConnections(origin)
  const ask = async (): Promise<void> => {
    const at = Date.now()
    const { status, ms } = await call(origin, '/v1/system/health', { agent, from, timeoutMs: givenUpMs })
    process.stdout.write(`${at} ${status} ${ms.toFixed(1)}\n`)
  }
  setInterval(() => void ask(), Number(every))
}
