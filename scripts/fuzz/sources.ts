import process from 'node:process'
import { openFarm, type Farm } from './sources/farm.ts'
import { besideGateways, tryGateway } from './sources/gateways.ts'
import { openProber } from './sources/probes.ts'

/** A source with a fault; `case` and the seed repeat it. */
type SourceFault = { case: number; through: 'gateway' | 'server'; why: string }

export type SourcesFuzzed = {
  gateways: number
  probes: number
  contacts: number
  faults: SourceFault[]
  slowest: { ms: number; case: number }
}

/** How many sources a server with the real ffmpeg requests, which takes a hundred times as long. */
const probesOf = (count: number): number => Math.min(300, Math.ceil(count * 0.03))

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error)

type Try = (index: number) => Promise<string | undefined>

/** Tries cases one after another; uncaught errors and calls of the canary meanwhile are their faults. */
const tryAll = async (
  farm: Farm,
  cases: readonly number[],
  through: SourceFault['through'],
  one: Try,
  result: SourcesFuzzed,
): Promise<void> => {
  const uncaught: unknown[] = []
  const note = (error: unknown) => void uncaught.push(error)
  const events = ['uncaughtException', 'unhandledRejection'] as const
  for (const event of events) process.on(event, note)
  for (const index of cases) {
    const began = performance.now()
    const why = await one(index).catch((error: unknown) => `nobody answered: ${String(error)}`)
    const ms = performance.now() - began
    if (through === 'gateway' && ms > result.slowest.ms) result.slowest = { ms, case: index }
    const contacts = farm.contacts()
    result.contacts += contacts.length
    const found = [
      ...(why === undefined ? [] : [why]),
      ...contacts.map((words) => `the canary was called: ${words}`),
      ...uncaught.splice(0).map((error) => `nobody caught: ${stackOf(error)}`),
    ]
    result.faults.push(...found.map((each) => ({ case: index, through, why: each })))
  }
  for (const event of events) process.off(event, note)
}

/**
 * Makes hostile sources by the seed (answers of HTTP, HLS and RTSP by their grammar, then changed) and requests each:
 * most through the gateway as ffmpeg would, some by a separate server with the real ffmpeg. `only` repeats one.
 */
export const fuzzSources = async (count: number, seed: number, only?: number): Promise<SourcesFuzzed> => {
  const farm = await openFarm(seed)
  const all = Array.from({ length: count }, (_, index) => index).filter((index) => only === undefined || index === only)
  const atGateway = all.filter((index) => index >= probesOf(count))
  const atServer = all.filter((index) => index < probesOf(count))
  const result: SourcesFuzzed = {
    gateways: atGateway.length,
    probes: atServer.length,
    contacts: 0,
    faults: [],
    slowest: { ms: 0, case: 0 },
  }
  try {
    await besideGateways(() => tryAll(farm, atGateway, 'gateway', (index) => tryGateway(farm, index), result))
    if (atServer.length > 0) {
      const prober = await openProber(farm)
      await tryAll(farm, atServer, 'server', prober.probe, result).finally(prober.close)
    }
  } finally {
    farm.close()
  }
  return result
}
