import { setTimeout as after } from 'node:timers/promises'
import type { Site } from '../../scripts/nodes.ts'
import type { BenchNode } from './nodes.ts'

export const faultKinds = ['kill', 'pause', 'database', 'bucket', 'drain', 'twin'] as const
export type FaultKind = (typeof faultKinds)[number]

/**
 * `seconds`: until no stream is held by the node, until the database or bucket was back, or until a second server with
 * the id of the node was refused; NaN if that didn't happen. `nodeId`: '' for the database and the bucket.
 */
export type Fault = { kind: FaultKind; nodeId: string; at: number; seconds: number }

const pauseMs = 60_000
const outageMs = 10_000
/** A hand-over that failed is tried again after a minute. */
const handedOverWithinMs = 120_000
const lookEveryMs = 200

/**
 * Faults in a random order; each kind comes once before one comes again. A node that a fault stopped runs again before
 * the next fault.
 */
export const faultsOf = (site: Site, nodes: readonly BenchNode[], random: () => number) => {
  let recovering: Promise<unknown> = Promise.resolve()
  let left: readonly FaultKind[] = []
  const anyOf = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(random() * list.length)]
    if (one === undefined) throw new Error('an empty list')
    return one
  }
  const nextKind = (): FaultKind => {
    const kind = anyOf(left.length === 0 ? faultKinds : left)
    left = (left.length === 0 ? faultKinds : left).filter((each) => each !== kind)
    return kind
  }

  /** Seconds until the other nodes hold all streams; NaN if they don't in time. */
  const untilHandedOver = async (victim: BenchNode): Promise<number> => {
    const from = performance.now()
    const other = nodes.find(({ id }) => id !== victim.id)
    while (performance.now() - from < handedOverWithinMs) {
      const placed = await other?.placement()
      if (placed?.every(({ nodeId, status }) => nodeId !== victim.id && status === 'running') === true) {
        return (performance.now() - from) / 1000
      }
      await after(lookEveryMs)
    }
    return Number.NaN
  }

  const cut = async (service: { cut: () => Promise<void>; start: () => Promise<void> }): Promise<number> => {
    const from = performance.now()
    await service.cut()
    await after(outageMs)
    await service.start()
    return (performance.now() - from) / 1000
  }

  const drain = async (victim: BenchNode): Promise<number> => {
    const path = `/v1/system/cluster/node/${victim.id}/drain`
    await victim.ask('POST', path, { drained: true })
    const seconds = await untilHandedOver(victim)
    await victim.ask('POST', path, { drained: false })
    return seconds
  }

  const refuseTwin = async (victim: BenchNode): Promise<number> => {
    const from = performance.now()
    return (await victim.isTwinRefused()) ? (performance.now() - from) / 1000 : Number.NaN
  }

  const run = async (kind: FaultKind, victim: BenchNode): Promise<number> => {
    switch (kind) {
      case 'database':
        return cut(site.postgres)
      case 'bucket':
        return cut(site.s3)
      case 'drain':
        return drain(victim)
      case 'twin':
        return refuseTwin(victim)
      case 'kill': {
        victim.signal('SIGKILL')
        const seconds = await untilHandedOver(victim)
        recovering = victim.restart()
        // Whoever waits for it throws.
        recovering.catch(() => undefined)
        return seconds
      }
      case 'pause': {
        victim.signal('SIGSTOP')
        recovering = after(pauseMs).then(() => victim.signal('SIGCONT'))
        return untilHandedOver(victim)
      }
    }
  }

  return {
    next: async (): Promise<Fault> => {
      await recovering
      const placed = (await nodes[0]?.placement()) ?? []
      const holders = nodes.filter(({ id }) => placed.some(({ nodeId }) => nodeId === id))
      const [kind, victim] = [nextKind(), anyOf(holders)]
      const at = Date.now()
      const seconds = await run(kind, victim)
      return { kind, nodeId: kind === 'database' || kind === 'bucket' ? '' : victim.id, at, seconds }
    },
    settle: () => recovering,
  }
}
