import { newId } from '../access/secrets.ts'
import { dayMs, minuteMs } from '../durations.ts'
import { guarded } from '../guarded.ts'
import type { Connection, Message } from './broker.ts'
import type { Delivery } from './delivery-store.ts'

/** Events that wait while the broker is away; the oldest are given up first. */
const maxWaitingEvents = 1000
/** Messages that the broker hasn't confirmed yet. */
const maxUnconfirmed = 200
/** The broker closes the connection instead of confirming a message that it doesn't admit. */
const maxAttempts = 10
/**
 * A state that has failed is tried again after this, as the reason may have been the connection, and then less and less
 * often, as a broker may close the connection at each attempt.
 */
const retryStatesMs = 5 * minuteMs
/** Deliveries that wait to be written while the database is away; the oldest are forgotten first. */
const maxUnwritten = 5000

/** Messages in the order in which they are published, each until the broker confirms it, and what became of them. */
export const createOutbox = (
  { isConnected, publish }: Connection,
  { nodeId, now }: { nodeId: string; now: () => number },
) => {
  const waiting = new Map<string, Delivery>()
  const unconfirmed = new Set<string>()
  /** The last delivery of each retained topic. */
  const states = new Map<string, Delivery>()
  const unwritten = new Map<string, Delivery>()
  /** Called with the reason, empty if it was sent, of deliveries that aren't tried again. */
  const onlyOnce = new Map<string, (reason: string) => void>()
  let failure = ''

  const forgetOldest = (): void => {
    for (const { id, status } of unwritten.values()) {
      if (unwritten.size <= maxUnwritten) return
      if (status !== 'waiting') unwritten.delete(id)
    }
  }

  /** Registers a new state of a delivery, which is to be written. */
  const update = (delivery: Delivery): void => {
    const { id, status } = delivery
    unwritten.delete(id)
    unwritten.set(id, delivery)
    if (status === 'waiting') waiting.set(id, delivery)
    else waiting.delete(id)
    if (delivery.isRetained && (states.get(delivery.topic)?.id ?? id) === id) states.set(delivery.topic, delivery)
    forgetOldest()
  }

  const finish = (delivery: Delivery, status: 'sent' | 'failed', reason = ''): void => {
    const { id, topic, payload } = delivery
    update({ ...delivery, status, reason, ended: now() })
    unconfirmed.delete(id)
    if (payload === '' && status === 'sent' && states.get(topic)?.id === id) states.delete(topic)
    onlyOnce.get(id)?.(reason)
    onlyOnce.delete(id)
  }

  const settle = (id: string, refusal = ''): void => {
    const delivery = unconfirmed.has(id) ? waiting.get(id) : undefined
    if (delivery !== undefined) finish(delivery, refusal === '' ? 'sent' : 'failed', refusal)
    flush()
  }

  /** The last attempt is made alone, so that no other message is refused with it. */
  const isLastAttempt = (): boolean => [...unconfirmed].some((id) => (waiting.get(id)?.attempts ?? 0) >= maxAttempts)

  const flush = (): void => {
    if (!isConnected() || isLastAttempt()) return
    for (const delivery of waiting.values()) {
      if (unconfirmed.size >= maxUnconfirmed) return
      if (unconfirmed.has(delivery.id)) continue
      const { id, attempts } = delivery
      const isLast = attempts + 1 >= maxAttempts
      if (isLast && unconfirmed.size > 0) return
      unconfirmed.add(id)
      update({ ...delivery, attempts: attempts + 1, reason: '' })
      publish(delivery, (refusal) => settle(id, refusal))
      if (isLast) return
    }
  }

  const giveUpOldest = (): void => {
    const events = [...waiting.values()].filter(({ isRetained }) => !isRetained)
    const [oldest] = events.filter(({ id }) => !unconfirmed.has(id))
    if (events.length > maxWaitingEvents && oldest !== undefined) finish(oldest, 'failed', 'TOO_MANY')
  }

  const add = (message: Message): Delivery => {
    const created = now()
    const delivery: Delivery = {
      ...message,
      id: newId(),
      nodeId,
      created,
      status: 'waiting',
      attempts: 0,
      ended: 0,
      reason: isConnected() ? '' : failure,
    }
    if (message.isRetained) states.delete(message.topic)
    update(delivery)
    giveUpOldest()
    flush()
    return delivery
  }

  const failOnce = (id: string, reason: string): void => {
    const delivery = waiting.get(id)
    if (delivery !== undefined) finish(delivery, 'failed', reason)
  }

  return {
    /** Publishes once there is a connection. A state that was published before is repeated without a record. */
    publish: (message: Message): void => {
      const before = message.isRetained ? states.get(message.topic) : undefined
      if (before?.payload !== message.payload) {
        if (before?.status === 'waiting') finish(before, 'failed', 'REPLACED')
        add(message)
      } else if (before.status === 'sent' && isConnected()) publish(before, () => undefined)
    },

    /** Tries once: resolves with the reason of the failure, empty if the broker has the message. */
    publishOnce: (message: Message, signal: AbortSignal): Promise<string> =>
      new Promise((resolve) => {
        const { id } = add(message)
        onlyOnce.set(id, resolve)
        const end = () => failOnce(id, failure === '' ? 'TIMED_OUT' : failure)
        signal.addEventListener('abort', guarded('mqtt: test', end), { once: true })
      }),

    flush,

    /** Tries states again that failed a while ago. */
    retryStates: (): void => {
      for (const state of states.values()) {
        const pauseMs = Math.min(dayMs, retryStatesMs * 2 ** Math.max(0, state.attempts - maxAttempts))
        if (state.status !== 'failed' || Math.abs(now() - state.ended) < pauseMs) continue
        update({ ...state, status: 'waiting', ended: 0 })
      }
      flush()
    },

    /** Forgets all states but that of the topic `own`, as another node publishes newer ones. */
    leaveStates: (own: string): void => {
      for (const state of [...states.values()].filter(({ topic }) => topic !== own)) {
        if (state.status === 'waiting') finish(state, 'failed', 'REPLACED')
        states.delete(state.topic)
      }
    },

    handleConnection: (): void => {
      failure = ''
      flush()
    },

    /** What the broker hasn't confirmed is sent again by the next connection. */
    handleFailure: (reason: string): void => {
      failure = reason
      for (const delivery of waiting.values()) {
        const { id, attempts } = delivery
        const isTried = unconfirmed.delete(id)
        if (onlyOnce.has(id) || (isTried && attempts >= maxAttempts)) finish(delivery, 'failed', reason)
        else if (delivery.reason !== reason) update({ ...delivery, reason })
      }
    },

    /** Takes over what waited when this server stopped: events; states are published anew. */
    load: (deliveries: readonly Delivery[]): void => {
      for (const delivery of deliveries) {
        if (!delivery.isRetained) update(delivery)
        else unwritten.set(delivery.id, { ...delivery, status: 'failed', reason: 'REPLACED', ended: now() })
      }
    },

    /** Ends attempts of `publishOnce`. */
    stop: (): void => {
      for (const id of onlyOnce.keys()) failOnce(id, 'CONNECTION_LOST')
    },

    /** The deliveries that changed since they were taken last; `putBack` if they could not be written. */
    takeUnwritten: (): Delivery[] => {
      const taken = [...unwritten.values()]
      unwritten.clear()
      return taken
    },
    putBack: (deliveries: readonly Delivery[]): void => {
      const newer = [...unwritten.values()]
      unwritten.clear()
      for (const each of [...deliveries, ...newer]) {
        unwritten.delete(each.id)
        unwritten.set(each.id, each)
      }
      forgetOldest()
    },
  }
}
