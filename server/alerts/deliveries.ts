import { newId } from '../access/secrets.ts'
import { hourMs, minuteMs } from '../durations.ts'
import type { Delivery, DeliveryStore } from './delivery-store.ts'
import type { Due } from './grouping.ts'
import type { StoredAlert } from './happenings.ts'
import type { Outcome, Send } from './send.ts'

/** Pauses before each further try, about 9 h in all. */
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
const atOnce = 8
const tryMs = minuteMs
/** For one alert; beyond it, the oldest is given up. */
const waitingEach = 100
const listedAtMost = 100

/** Sends what is due, tries again what fails, and writes each step, so that nothing is lost with the process. */
export const createDeliveries = (
  store: DeliveryStore,
  options: {
    send: Send
    now: () => number
    /** Writes, or keeps it to be written later. */
    write: (key: string, write: () => Promise<unknown>) => Promise<void>
  },
) => {
  const { send, now, write } = options
  const waiting = new Map<string, Delivery>()
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  const save = (delivery: Delivery): Promise<void> => write(`delivery ${delivery.id}`, () => store.save(delivery))

  const end = async (delivery: Delivery, status: 'sent' | 'failed', reason = ''): Promise<void> => {
    waiting.delete(delivery.id)
    await save({ ...delivery, status, reason, ended: now(), next: 0 })
    await write('bound', store.bound)
  }

  const handleOutcome = async (delivery: Delivery, outcome: Outcome): Promise<void> => {
    const tried = { ...delivery, attempts: delivery.attempts + 1 }
    if (outcome.isSent) return end(tried, 'sent')
    const pauseMs = pausesMs[tried.attempts - 1]
    if (outcome.isFinal || pauseMs === undefined) return end(tried, 'failed', outcome.reason)
    const later = { ...tried, next: now() + pauseMs, reason: outcome.reason }
    waiting.set(later.id, later)
    return save(later)
  }

  const attempt = async (delivery: Delivery, alert: StoredAlert | undefined): Promise<void> => {
    const { kind, address } = delivery
    const destination = alert?.to.find((each) => each.kind === kind && each.address === address)
    if (destination === undefined) return end(delivery, 'failed', 'ADDRESS_REMOVED')
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(tryMs)])
    const outcome = await send({ ...delivery, secret: destination.secret }, signal)
    // What was broken off stays waiting, and is sent after the next start.
    if (!stopping.signal.aborted || outcome.isSent) await handleOutcome(delivery, outcome)
  }

  const giveUpOldest = async (alert: string): Promise<void> => {
    const own = [...waiting.values()].filter((each) => each.alert === alert && !running.has(each.id))
    for (const each of own.slice(0, Math.max(0, own.length - waitingEach))) await end(each, 'failed', 'TOO_MANY')
  }

  /** Settles once nothing is being sent. */
  const settled = async (): Promise<void> => {
    await Promise.allSettled(running.values())
  }

  return {
    load: async (): Promise<void> => {
      for (const each of await store.waiting()) waiting.set(each.id, each)
    },

    add: async (alert: StoredAlert, happenings: Due['happenings']): Promise<void> => {
      for (const { kind, address } of alert.to) {
        const delivery: Delivery = {
          id: newId(),
          alert: alert.id,
          name: alert.name,
          kind,
          address,
          happenings: happenings.slice(0, listedAtMost),
          total: happenings.length,
          created: now(),
          status: 'waiting',
          attempts: 0,
          next: now(),
          ended: 0,
          reason: '',
        }
        waiting.set(delivery.id, delivery)
        await save(delivery)
      }
      await giveUpOldest(alert.id)
    },

    /** Begins to send what is due. */
    sendDue: (alerts: readonly StoredAlert[]): void => {
      if (stopping.signal.aborted) return
      for (const delivery of waiting.values()) {
        if (running.size >= atOnce) return
        if (running.has(delivery.id) || delivery.next > now()) continue
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
