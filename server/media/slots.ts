import { guarded } from '../guarded.ts'
import { unavailable } from '../http/api-error.ts'

export type Turn = { callers: () => Iterable<string>; signal?: AbortSignal | undefined }

/** Fair slots: the caller served longest ago is next. Rejects with 503 if too many wait, or if cancelled. */
export type Slots = <T>(turn: Turn, work: () => Promise<T>) => Promise<T>

export type SlotLimits = {
  size: number
  runningEach?: number
  /** Queue length; beyond it, the last of the caller with most waiting is refused. Unlimited by default. */
  waiting?: number
  waitingEach?: number
}

type Waiter = { callers: () => Iterable<string>; go: (caller: string) => void; refuse: () => void }

const retryAfterSeconds = 2
const callersRemembered = 1000

export const createSlots = (limits: SlotLimits): Slots => {
  const { size, runningEach = size, waiting: most = Infinity, waitingEach = Infinity } = limits
  const waiting = new Set<Waiter>()
  const running = new Map<string, number>()
  const served = new Map<string, number>()
  let busy = 0
  let turns = 0

  const wants = (waiter: Waiter, caller: string): boolean => [...waiter.callers()].includes(caller)

  const nextTurn = (): { waiter: Waiter; caller: string } | undefined => {
    let found: { waiter: Waiter; caller: string; servedAt: number } | undefined
    for (const waiter of waiting) {
      for (const caller of waiter.callers()) {
        const servedAt = served.get(caller) ?? -1
        const isFree = (running.get(caller) ?? 0) < runningEach
        if (isFree && (found === undefined || servedAt < found.servedAt)) found = { waiter, caller, servedAt }
      }
    }
    return found
  }

  const fill = (): void => {
    while (busy < size) {
      const next = nextTurn()
      if (next === undefined) return
      const { waiter, caller } = next
      waiting.delete(waiter)
      busy += 1
      turns += 1
      running.set(caller, (running.get(caller) ?? 0) + 1)
      served.delete(caller)
      served.set(caller, turns)
      const [oldest] = served.keys()
      if (served.size > callersRemembered && oldest !== undefined) served.delete(oldest)
      waiter.go(caller)
    }
  }

  const leave = (caller: string): void => {
    busy -= 1
    const left = (running.get(caller) ?? 1) - 1
    if (left === 0) running.delete(caller)
    else running.set(caller, left)
    fill()
  }

  const refuseLastOf = (caller: string): void => {
    const last = [...waiting].findLast((waiter) => wants(waiter, caller))
    if (last === undefined) return
    waiting.delete(last)
    last.refuse()
  }

  const bound = (newcomer: Waiter): void => {
    const counts = new Map<string, number>()
    for (const waiter of waiting) {
      for (const caller of waiter.callers()) counts.set(caller, (counts.get(caller) ?? 0) + 1)
    }
    const greedy = [...newcomer.callers()].find((caller) => (counts.get(caller) ?? 0) > waitingEach)
    if (greedy !== undefined) refuseLastOf(greedy)
    if (waiting.size <= most) return
    const [busiest] = [...counts].toSorted(([, a], [, b]) => b - a)
    if (busiest !== undefined) refuseLastOf(busiest[0])
  }

  const enter = ({ callers, signal }: Turn): Promise<string> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(unavailable())
        return
      }
      const settle = (): void => signal?.removeEventListener('abort', giveUp)
      const waiter: Waiter = {
        callers,
        go: (caller) => {
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
      fill()
      if (waiting.has(waiter)) bound(waiter)
    })

  return async (turn, work) => {
    const caller = await enter(turn)
    try {
      return await work()
    } finally {
      leave(caller)
    }
  }
}

/** Runs work once for all who want the same `key`; its `signal` aborts when the last of them leaves. */
export type Shared<T> = (
  key: string,
  wanted: { caller: string; signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>

type Job<T> = { result: Promise<T>; wantedBy: Set<{ caller: string }>; giveUp: () => void }

export const createShared = <T>(slots: Slots): Shared<T> => {
  const jobs = new Map<string, Job<T>>()

  const begin = (key: string, work: (signal: AbortSignal) => Promise<T>, first: { caller: string }): Job<T> => {
    const end = new AbortController()
    const wantedBy = new Set([first])
    const callers = () => [...wantedBy].map(({ caller }) => caller)
    const result = slots({ callers, signal: end.signal }, () => work(end.signal))
    const forget = () => {
      if (jobs.get(key) === job) jobs.delete(key)
    }
    const giveUp = () => {
      forget()
      end.abort()
    }
    const job: Job<T> = { result, wantedBy, giveUp }
    jobs.set(key, job)
    result.then(forget, forget)
    return job
  }

  return (key, { caller, signal }, work) => {
    if (signal?.aborted === true) return Promise.reject(unavailable())
    const me = { caller }
    const job = jobs.get(key) ?? begin(key, work, me)
    job.wantedBy.add(me)
    return new Promise((resolve, reject) => {
      const leave = guarded('slots: leave', () => {
        job.wantedBy.delete(me)
        reject(unavailable())
        if (job.wantedBy.size === 0) job.giveUp()
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
