import { minuteMs } from '../durations.ts'
import { faultOf, streamOf, type Condition, type Event, type Happening } from './happenings.ts'
import type { SiteSnapshot, StoredAlert } from './happenings.ts'

/** A group is reported after this time without anything new. */
const settleMs = 8000
/** A group is reported after this time at the latest. */
const maxGroupingMs = 30_000
/** Events of one group that differ in stream or label; the Events page has the others. */
const maxEvents = 500

/** What an alert reported of a subject, and when. */
export type Reported = { isFailing: boolean; time: number }
/** What one alert reported, by subject. */
export type Memory = Map<string, Reported>
/** What to report, and what to remember by subject; undefined forgets the subject. */
export type Due = { happenings: Happening[]; reported: ReadonlyMap<string, Reported | undefined> }

const isOfStreams = ({ streams }: StoredAlert, streamId: string | undefined): boolean =>
  streams.length === 0 || streamId === undefined || streams.includes(streamId)

const isFollowed = (alert: StoredAlert, { on, streamId }: Condition): boolean =>
  isOfStreams(alert, streamId) &&
  (alert.on.includes(on) || (on === 'stream.failed' && alert.on.includes('stream.recovered')))

const hasLabel = ({ labels }: StoredAlert, label: string): boolean =>
  labels.length === 0 || labels.some((one) => one.toLowerCase() === label.toLowerCase())

export const isAbout = (alert: StoredAlert, { streamId, label }: Event): boolean =>
  alert.on.includes('event') && isOfStreams(alert, streamId) && hasLabel(alert, label)

export const subjectOfEvent = ({ streamId = '', label = '' }: Pick<Happening, 'streamId' | 'label'>): string =>
  `event:${streamId}:${label}`

export const quietMsOf = ({ quietMinutes }: StoredAlert): number => quietMinutes * minuteMs

/** Times are compared both ways, as the clock may be set back. */
const isWithin = (ms: number, from: number, now: number): boolean => Math.abs(now - from) < ms

const recoveryOf = (subject: string, snapshot: SiteSnapshot, time: number): Happening => {
  const streamId = streamOf(subject)
  return streamId === undefined
    ? { ...faultOf(subject), isOver: true, time }
    : { on: 'stream.recovered', streamId, streamName: snapshot.nameOf(streamId), time }
}

/** What to remember of failures that are over, or whose subject is gone, where that isn't reported. */
export const endedOf = (memory: Memory, snapshot: SiteSnapshot): Map<string, Reported | undefined> =>
  new Map(
    [...memory].flatMap(([subject, { isFailing, time }]): [string, Reported | undefined][] => {
      const state = isFailing && !snapshot.failing.has(subject) ? snapshot.stateOf(subject) : 'unknown'
      return state === 'unknown' ? [] : [[subject, state === 'gone' ? undefined : { isFailing: false, time }]]
    }),
  )

/**
 * Collects what one alert has to report until nothing new comes. A fault that ends before that is never reported. What
 * was reported isn't reported again within the quiet time.
 */
export const createGroup = () => {
  const pending = new Set<string>()
  const events = new Map<string, Happening>()
  let firstAt = 0
  let lastAt = 0

  const registerAddition = (now: number): void => {
    if (pending.size + events.size === 0) firstAt = now
    lastAt = now
  }

  /** What could be reported now, by subject. */
  const candidatesOf = (alert: StoredAlert, memory: Memory, snapshot: SiteSnapshot, now: number) => {
    const found = new Map<string, { happening: Happening; reported: Reported | undefined }>()
    for (const condition of snapshot.failing.values()) {
      const { subject, ...fault } = condition
      const last = memory.get(subject)
      const isKnown = last !== undefined && (last.isFailing || isWithin(quietMsOf(alert), last.time, now))
      if (isKnown || !isFollowed(alert, condition)) continue
      found.set(subject, { happening: fault, reported: { isFailing: true, time: now } })
    }
    for (const [subject, last] of memory) {
      if (!last.isFailing || snapshot.failing.has(subject)) continue
      if (snapshot.stateOf(subject) !== 'well') continue
      const recovery = recoveryOf(subject, snapshot, now)
      // The quiet time counts from the report of the fault.
      found.set(subject, { happening: recovery, reported: { isFailing: false, time: last.time } })
    }
    return found
  }

  /** Subjects to forget, as they failed when they were removed or paused. */
  const removedOf = (memory: Memory, snapshot: SiteSnapshot): Map<string, undefined> =>
    new Map(
      [...memory]
        .filter(
          ([subject, { isFailing }]) =>
            isFailing && !snapshot.failing.has(subject) && snapshot.stateOf(subject) === 'gone',
        )
        .map(([subject]) => [subject, undefined]),
    )

  const isSettled = (now: number): boolean => !isWithin(settleMs, lastAt, now) || !isWithin(maxGroupingMs, firstAt, now)

  const takeEvents = (now: number): Due => {
    const reported = new Map([...events.keys()].map((subject) => [subject, { isFailing: false, time: now }]))
    const happenings = [...events.values()]
    events.clear()
    return { happenings, reported }
  }

  return {
    addEvent: (alert: StoredAlert, memory: Memory, event: Event, now: number): void => {
      const subject = subjectOfEvent(event)
      const known = events.get(subject)
      if (known !== undefined) known.count = (known.count ?? 1) + 1
      const last = memory.get(subject)
      const isQuiet = last !== undefined && isWithin(quietMsOf(alert), last.time, now)
      if (known !== undefined || isQuiet || events.size >= maxEvents) return
      registerAddition(now)
      events.set(subject, { on: 'event', ...event, count: 1 })
    },

    /** Empties the group of its events and returns them, without waiting for the group to settle. */
    takeEvents,

    /** The same once the group is settled. Forgets faults, which the leader gathers. */
    takeSettledEvents: (now: number): Due => {
      pending.clear()
      return isSettled(now) ? takeEvents(now) : { happenings: [], reported: new Map() }
    },

    /** Empties the group and returns what it has, if it is settled; otherwise only the subjects to forget. */
    takeDue: (alert: StoredAlert, memory: Memory, snapshot: SiteSnapshot, now: number): Due => {
      const candidates = candidatesOf(alert, memory, snapshot, now)
      for (const subject of pending) if (!candidates.has(subject)) pending.delete(subject)
      for (const subject of candidates.keys()) {
        if (pending.has(subject)) continue
        registerAddition(now)
        pending.add(subject)
      }
      const removed = removedOf(memory, snapshot)
      if (pending.size + events.size === 0 || !isSettled(now)) return { happenings: [], reported: removed }
      const reported = new Map<string, Reported | undefined>(removed)
      for (const [subject, candidate] of candidates) reported.set(subject, candidate.reported)
      const happenings = [...candidates.values()].map(({ happening }) => happening)
      pending.clear()
      const waiting = takeEvents(now)
      const isReported = ({ on, streamId }: Happening) => alert.on.includes(on) && isOfStreams(alert, streamId)
      return {
        happenings: happenings.filter(isReported).concat(waiting.happenings),
        reported: new Map([...reported, ...waiting.reported]),
      }
    },
  }
}
export type Group = ReturnType<typeof createGroup>
