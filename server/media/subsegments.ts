import { guarded } from '../guarded.ts'
import { unavailable } from '../http/api-error.ts'
import { monotonicNow } from '../monotonic.ts'
import type { ByteCache } from './byte-cache.ts'
import { createRecentSet } from './recent-set.ts'
import type { Slots } from './slots.ts'

/** One of the subsegments of a segment, which are equally long. A whole segment is its only subsegment. */
export type Subsegment = { index: number; count: number }

/** Makes the subsegments of a segment in their order, and calls `take` with each. */
type Work = (signal: AbortSignal, take: (index: number, bytes: Buffer) => void) => Promise<void>

type Made = PromiseWithResolvers<Buffer | undefined>
/** `since`: when it came. `gone`: gave up before it was served. */
type Requester = { caller: string; since: number; state: 'waiting' | 'served' | 'gone' }
/** `isWanted`: whether other work waits for its slot. */
type Job = {
  key: string
  requesters: Set<Requester>
  made: readonly Made[]
  stop: AbortController
  isWanted: () => boolean
}

/** A caller that comes back so soon to what it has left plays several at once, as in two tabs. */
const returningMs = 30_000
/**
 * A seek requests another segment so shortly before the request that it replaces is known to have ended. What a player
 * requests ahead, together with what takes it too long, came earlier.
 */
const seekMs = 1000

const isGivenUp = ({ requesters }: Job): boolean => [...requesters].every(({ state }) => state === 'gone')

/** The work of all who have given up goes on only while nothing else needs its slot. */
const endIfWanted = (job: Job): void => {
  if (isGivenUp(job) && job.isWanted()) job.stop.abort()
}

const leave = (job: Job, requester: Requester): void => {
  job.requesters.delete(requester)
  if (job.requesters.size === 0) job.stop.abort()
}

/**
 * Runs `work` once for all who request subsegments of the same `key`, and caches them. Resolves to undefined if the
 * work ended without the subsegment. The work goes on for `lingerMs` after a subsegment has been served, as the next
 * one is requested soon, or until the caller requests another `key`, unless it plays several at once. It goes on as
 * long after all have given up, as players repeat what takes long, but not while other work waits for a slot.
 */
export const createSubsegments = (
  slots: Slots,
  cache: ByteCache,
  { lingerMs, now = monotonicNow }: { lingerMs: number; now?: () => number },
) => {
  const jobs = new Map<string, Job>()
  /** What callers have left for another key, and those that came back. */
  const left = createRecentSet(returningMs)
  const returned = createRecentSet(returningMs)
  const leavingOf = (caller: string, key: string): string => `${caller} ${key}`

  const begin = (key: string, count: number, work: Work, first: Requester): Job => {
    const stop = new AbortController()
    const made = Array.from({ length: count }, () => Promise.withResolvers<Buffer | undefined>())
    // Those that nobody waits for.
    for (const { promise } of made) promise.catch(() => undefined)
    const job: Job = { key, requesters: new Set([first]), made, stop, isWanted: () => false }
    const take = (index: number, bytes: Buffer): void => {
      cache.put(`${key} ${index}`, bytes)
      made[index]?.resolve(bytes)
    }
    const forget = (): void => {
      if (jobs.get(key) === job) jobs.delete(key)
    }
    const end = (): void => {
      forget()
      for (const { resolve } of made) resolve(undefined)
    }
    const fail = (error: unknown): void => {
      forget()
      for (const { reject } of made) reject(error)
    }
    const callers = () => [...job.requesters].map(({ caller }) => caller)
    stop.signal.addEventListener('abort', guarded('subsegments: stop', forget), { once: true })
    jobs.set(key, job)
    const run = (isWanted: () => boolean): Promise<void> => {
      job.isWanted = isWanted
      return work(stop.signal, take)
    }
    slots({ callers, signal: stop.signal, onWanted: () => endIfWanted(job) }, run).then(end, fail)
    return job
  }

  const isReplaced = (job: Job, caller: string): boolean =>
    [...jobs.values()]
      .filter((other) => other !== job)
      .flatMap(({ requesters }) => [...requesters])
      .some((each) => each.caller === caller && each.state === 'waiting' && now() - each.since < seekMs)

  /**
   * What a caller had last may hold the turn of what it has now. A caller that repeats what it gave up may repeat the
   * others, too.
   */
  const leaveOthers = (job: Job, caller: string): void => {
    const playsSeveral = returned.has(caller)
    const isRepeated = [...job.requesters].some((each) => each.caller === caller && each.state === 'gone')
    for (const other of [...jobs.values()].filter((each) => each !== job))
      for (const requester of other.requesters) {
        const { state } = requester
        if (requester.caller !== caller || state === 'waiting') continue
        if (state === 'served' ? playsSeveral : isRepeated) continue
        if (state === 'served') left.add(leavingOf(caller, other.key))
        leave(other, requester)
      }
  }

  return async (
    key: string,
    { index, count }: Subsegment,
    { caller, signal }: { caller: string; signal: AbortSignal },
    work: Work,
  ): Promise<Buffer | undefined> => {
    const known = cache.get(`${key} ${index}`)
    if (known !== undefined) return known
    if (signal.aborted) throw unavailable()
    const requester: Requester = { caller, since: now(), state: 'waiting' }
    if (left.has(leavingOf(caller, key))) returned.add(caller)
    const job = jobs.get(key) ?? begin(key, count, work, requester)
    job.requesters.add(requester)
    leaveOthers(job, caller)
    const gone = Promise.withResolvers<never>()
    const giveUp = guarded('subsegments: give up', () => gone.reject(unavailable()))
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return await Promise.race([job.made[index]?.promise, gone.promise])
    } finally {
      signal.removeEventListener('abort', giveUp)
      requester.state = signal.aborted ? 'gone' : 'served'
      if (signal.aborted && isReplaced(job, caller)) leave(job, requester)
      endIfWanted(job)
      const linger = guarded('subsegments: leave', () => leave(job, requester))
      setTimeout(linger, lingerMs).unref()
    }
  }
}
