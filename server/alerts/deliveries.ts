import { newId } from '../access/secrets.ts'
import { hourMs, minuteMs } from '../durations.ts'
import type { Delivery, DeliveryStore } from './delivery-store.ts'
import type { Due } from './grouping.ts'
import type { StoredAlert } from './happenings.ts'
import { isQuiet } from './quiet-hours.ts'
import type { Outcome, Send } from './send.ts'

/** The pauses before each further attempt, about 9 h in all. */
const pausesMs: readonly number[] = [
  5000,
  15_000,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  5 * hourMs,
]
const maxConcurrent = 8
const attemptTimeoutMs = minuteMs
/** Deliveries of one alert that wait; above it, the oldest fail. */
const maxWaiting = 100
const maxListed = 100

/** Sends what is due and repeats what failed. Each step is written, so that a restart loses nothing. */
export const createDeliveries = (
  store: DeliveryStore,
  options: {
    send: Send
    now: () => number
    /** Runs a write; after a write error it is repeated later, unless a newer write has the same key. */
    write: (key: string, write: () => Promise<unknown>) => Promise<void>
  },
) => {
  const { send, now, write } = options
  const waiting = new Map<string, Delivery>()
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  /** A delivery to each address of an alert. `total`: of all happenings, of which the first are given. */
  const make = (alert: StoredAlert, happenings: Due['happenings'], total: number): Delivery[] =>
    alert.to.map(({ kind, address }) => ({
      id: newId(),
      alert: alert.id,
      name: alert.name,
      kind,
      address,
      happenings: happenings.slice(0, maxListed),
      total,
      created: now(),
      status: 'waiting',
      attempts: 0,
      next: now(),
      ended: 0,
      reason: '',
    }))

  const save = (delivery: Delivery): Promise<void> => write(`delivery ${delivery.id}`, () => store.save(delivery))

  /** More than its pause is left only after the clock was set back. */
  const isDue = ({ next, attempts }: Delivery): boolean => {
    const leftMs = next - now()
    return leftMs <= 0 || leftMs > (pausesMs[attempts - 1] ?? 0)
  }

  const finish = async (delivery: Delivery, status: 'sent' | 'failed', reason = ''): Promise<void> => {
    waiting.delete(delivery.id)
    await save({ ...delivery, status, reason, ended: now(), next: 0 })
    await write('trim', store.trim)
  }

  const handleOutcome = async (delivery: Delivery, outcome: Outcome): Promise<void> => {
    const tried = { ...delivery, attempts: delivery.attempts + 1 }
    if (outcome.isSent) return finish(tried, 'sent')
    const pauseMs = pausesMs[tried.attempts - 1]
    if (outcome.isFinal || pauseMs === undefined) return finish(tried, 'failed', outcome.reason)
    const later = { ...tried, next: now() + pauseMs, reason: outcome.reason }
    waiting.set(later.id, later)
    return save(later)
  }

  const attempt = async (delivery: Delivery, alert: StoredAlert | undefined): Promise<void> => {
    const { kind, address } = delivery
    const destination = alert?.to.find((each) => each.kind === kind && each.address === address)
    if (destination === undefined) return finish(delivery, 'failed', 'ADDRESS_REMOVED')
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(attemptTimeoutMs)])
    const outcome = await send({ ...delivery, secret: destination.secret }, signal)
    // A delivery that the stop aborted stays waiting, and is sent after the next start.
    if (!stopping.signal.aborted || outcome.isSent) await handleOutcome(delivery, outcome)
  }

  const failOldest = async (alert: string): Promise<void> => {
    const own = [...waiting.values()]
      .filter((each) => each.alert === alert && !running.has(each.id))
      .toSorted((a, b) => a.created - b.created)
    for (const each of own.slice(0, Math.max(0, own.length - maxWaiting))) await finish(each, 'failed', 'TOO_MANY')
  }

  /** Settles once nothing is being sent. */
  const settled = async (): Promise<void> => {
    await Promise.allSettled(running.values())
  }

  return {
    /** Reads the waiting deliveries. `isAnew`: forgets those known before, which another node may have sent. */
    load: async (isAnew: boolean): Promise<void> => {
      const busy = new Set(running.keys())
      const stored = await store.waiting()
      if (isAnew) waiting.clear()
      for (const each of stored) {
        if (!waiting.has(each.id) && !busy.has(each.id) && !running.has(each.id)) waiting.set(each.id, each)
      }
      for (const alert of new Set(stored.map((each) => each.alert))) await failOldest(alert)
    },

    /** Leaves what waits to the node that sends: it is written already. */
    leaveToOthers: (): void => waiting.clear(),

    add: async (
      alert: StoredAlert,
      happenings: Due['happenings'],
      total: number = happenings.length,
    ): Promise<void> => {
      for (const delivery of make(alert, happenings, total)) {
        waiting.set(delivery.id, delivery)
        await save(delivery)
      }
      await failOldest(alert.id)
    },

    /** Writes deliveries, for `take` once they are kept; rejects if they can't be written. */
    write: async (alert: StoredAlert, happenings: Due['happenings']): Promise<Delivery[]> => {
      const made = make(alert, happenings, happenings.length)
      for (const delivery of made) await store.save(delivery)
      return made
    },
    take: async (alert: StoredAlert, made: readonly Delivery[]): Promise<void> => {
      for (const delivery of made) waiting.set(delivery.id, delivery)
      await failOldest(alert.id)
    },

    /** Starts to send the deliveries that are due, except those of alerts in quiet hours. */
    sendDue: (alerts: readonly StoredAlert[]): void => {
      if (stopping.signal.aborted) return
      const quiet = new Set(alerts.filter(({ quietHours }) => isQuiet(quietHours, now())).map(({ id }) => id))
      // What was tried less goes first: addresses that hang don't hold up the others.
      for (const delivery of [...waiting.values()].toSorted((a, b) => a.attempts - b.attempts)) {
        if (running.size >= maxConcurrent) return
        if (running.has(delivery.id) || !isDue(delivery) || quiet.has(delivery.alert)) continue
        const alert = alerts.find(({ id }) => id === delivery.alert)
        const job = attempt(delivery, alert).finally(() => running.delete(delivery.id))
        running.set(delivery.id, job)
        job.catch(() => undefined)
      }
    },

    settled,

    stop: (): Promise<void> => {
      stopping.abort()
      return settled()
    },
  }
}
