import { guarded } from '../guarded.ts'
import { unavailable } from '../http/api-error.ts'

/**
 * `callers`: those that the work serves; they may change while it waits. `onWanted`: called while the work runs, when
 * other work finds no free slot.
 */
type SlotRequest = { callers: () => Iterable<string>; signal?: AbortSignal | undefined; onWanted?: () => void }

/**
 * Runs `work` in a fair slot: the caller served longest ago is next. Rejects with 503 if too many wait, or if aborted.
 * `isWanted`: whether other work waits for a slot.
 */
export type Slots = <T>(request: SlotRequest, work: (isWanted: () => boolean) => Promise<T>) => Promise<T>

/** Queues whose lengths monitoring reads. */
type Queue = 'transcodes' | 'pictures' | 'probes' | 'exports' | 'masked-downloads' | 'motion'

const waitingByQueue = new Map<Queue, number>()
const countWaiting = (queue: Queue | undefined, more: number): void => {
  if (queue !== undefined) waitingByQueue.set(queue, (waitingByQueue.get(queue) ?? 0) + more)
}

/** How much waits for a slot in this process. */
export const waitingWork = (): Readonly<Record<string, number>> => Object.fromEntries(waitingByQueue)

export type SlotLimits = {
  /** What monitoring counts those that wait as; by default it doesn't. */
  queue?: Queue
  /** How many run at once. */
  size: number
  /** How many of a caller run at once; `size` by default. */
  runningEach?: number
  /** How many wait; beyond it, the last one of the caller with most waiting is refused. Unlimited by default. */
  waiting?: number
  /** How many of a caller wait. Unlimited by default. */
  waitingEach?: number
}

type Waiter = { callers: () => Iterable<string>; start: (caller: string) => void; refuse: () => void }

const retryAfterSeconds = 2
const maxServedCallers = 1000
/** When a caller was served that never was. */
const never = -1

export const createSlots = (limits: SlotLimits): Slots => {
  const { queue, size, runningEach = size, waiting: maxWaiting = Infinity, waitingEach = Infinity } = limits
  countWaiting(queue, 0)
  const waiting = new Set<Waiter>()
  const runningRequests = new Set<SlotRequest>()
  const running = new Map<string, number>()
  const served = new Map<string, number>()
  let runningCount = 0
  let servedCount = 0

  const isFor = (waiter: Waiter, caller: string): boolean => [...waiter.callers()].includes(caller)

  const nextWaiter = (): { waiter: Waiter; caller: string } | undefined => {
    let found: { waiter: Waiter; caller: string; servedAt: number } | undefined
    for (const waiter of waiting) {
      for (const caller of waiter.callers()) {
        const servedAt = served.get(caller) ?? never
        const isFree = (running.get(caller) ?? 0) < runningEach
        if (isFree && (found === undefined || servedAt < found.servedAt)) found = { waiter, caller, servedAt }
        // No caller comes before one that was never served.
        if (isFree && servedAt === never) return found
      }
    }
    return found
  }

  /** What waits only for the turn of its caller needs no slot. */
  const isWanted = (): boolean => nextWaiter() !== undefined

  const startWaiting = (): void => {
    while (runningCount < size) {
      const next = nextWaiter()
      if (next === undefined) return
      const { waiter, caller } = next
      waiting.delete(waiter)
      runningCount += 1
      servedCount += 1
      running.set(caller, (running.get(caller) ?? 0) + 1)
      served.delete(caller)
      served.set(caller, servedCount)
      const [oldest] = served.keys()
      if (served.size > maxServedCallers && oldest !== undefined) served.delete(oldest)
      waiter.start(caller)
    }
  }

  const freeSlot = (caller: string): void => {
    runningCount -= 1
    const left = (running.get(caller) ?? 1) - 1
    if (left === 0) running.delete(caller)
    else running.set(caller, left)
    startWaiting()
  }

  const refuseLastOf = (caller: string): void => {
    const last = [...waiting].findLast((waiter) => isFor(waiter, caller))
    if (last === undefined) return
    waiting.delete(last)
    last.refuse()
  }

  const enforceLimits = (newcomer: Waiter): void => {
    if (maxWaiting === Infinity && waitingEach === Infinity) return
    const counts = new Map<string, number>()
    for (const waiter of waiting) {
      for (const caller of new Set(waiter.callers())) counts.set(caller, (counts.get(caller) ?? 0) + 1)
    }
    const greedy = [...newcomer.callers()].find((caller) => (counts.get(caller) ?? 0) > waitingEach)
    if (greedy !== undefined) refuseLastOf(greedy)
    if (waiting.size <= maxWaiting) return
    const [busiest] = [...counts].toSorted(([, a], [, b]) => b - a)
    if (busiest !== undefined) refuseLastOf(busiest[0])
  }

  const takeSlot = ({ callers, signal }: SlotRequest): Promise<string> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(unavailable())
        return
      }
      const settle = (): void => signal?.removeEventListener('abort', giveUp)
      const waiter: Waiter = {
        callers,
        start: (caller) => {
          settle()
          resolve(caller)
        },
        refuse: () => {
          settle()
          reject(unavailable(retryAfterSeconds))
        },
      }
      const giveUp = guarded('slots: give up', () => {
        waiting.delete(waiter)
        reject(unavailable())
      })
      signal?.addEventListener('abort', giveUp, { once: true })
      waiting.add(waiter)
      startWaiting()
      if (!waiting.has(waiter)) return
      enforceLimits(waiter)
      if (isWanted()) for (const { onWanted } of runningRequests) onWanted?.()
    })

  return async (request, work) => {
    countWaiting(queue, 1)
    const caller = await takeSlot(request).finally(() => countWaiting(queue, -1))
    runningRequests.add(request)
    try {
      return await work(isWanted)
    } finally {
      runningRequests.delete(request)
      freeSlot(caller)
    }
  }
}

/** Runs `work` once for all requests with the same `key`; its `signal` aborts when the last of them is aborted. */
export type Shared<T> = (
  key: string,
  request: { caller: string; signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>

type Job<T> = { result: Promise<T>; requesters: Set<{ caller: string }>; cancel: () => void }

export const createShared = <T>(slots: Slots): Shared<T> => {
  const jobs = new Map<string, Job<T>>()

  const begin = (key: string, work: (signal: AbortSignal) => Promise<T>, first: { caller: string }): Job<T> => {
    const end = new AbortController()
    const requesters = new Set([first])
    const callers = () => [...requesters].map(({ caller }) => caller)
    const result = slots({ callers, signal: end.signal }, () => work(end.signal))
    const forget = () => {
      if (jobs.get(key) === job) jobs.delete(key)
    }
    const cancel = () => {
      forget()
      end.abort()
    }
    const job: Job<T> = { result, requesters, cancel }
    jobs.set(key, job)
    result.then(forget, forget)
    return job
  }

  return (key, { caller, signal }, work) => {
    if (signal?.aborted === true) return Promise.reject(unavailable())
    const requester = { caller }
    const job = jobs.get(key) ?? begin(key, work, requester)
    job.requesters.add(requester)
    return new Promise((resolve, reject) => {
      const leave = guarded('slots: leave', () => {
        job.requesters.delete(requester)
        reject(unavailable())
        if (job.requesters.size === 0) job.cancel()
      })
      signal?.addEventListener('abort', leave, { once: true })
      const settle = () => signal?.removeEventListener('abort', leave)
      job.result
        .then(resolve, reject)
        .finally(settle)
        .catch(() => undefined)
    })
  }
}
