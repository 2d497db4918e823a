import type { Cluster } from '../cluster/cluster.ts'
import type { ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import { ignoreDiskErrors } from '../store/background-writes.ts'
import { isWriteError } from '../store/disk-error.ts'
import { createRepeated, createSerialQueue } from '../store/serial-queue.ts'
import { forgettable, type AlertStore } from './alert-store.ts'
import { createDeliveries } from './deliveries.ts'
import type { DeliveryStore } from './delivery-store.ts'
import { createFailedWrites } from './failed-writes.ts'
import {
  createGroup,
  endedOf,
  isAbout,
  quietMsOf,
  subjectOfEvent,
  type Due,
  type Group,
  type Memory,
} from './grouping.ts'
import type { Event, SiteSnapshot, StoredAlert } from './happenings.ts'
import { isQuiet } from './quiet-hours.ts'
import type { Send } from './send.ts'

const checkEveryMs = 2000

export type AlertEngine = {
  /** Checks now, and then every two seconds. */
  start: () => Promise<void>
  check: () => Promise<void>
  /** Reads the alerts before the next check, so that one that was added gets the events from now on. */
  readAlerts: () => Promise<void>
  /** Adds detectors' events to the groups of the alerts that are about them. */
  handleEvents: (events: readonly Event[]) => void
  /** Settles once nothing is being sent. */
  settled: () => Promise<void>
  stop: () => Promise<void>
}

type Needs = {
  alerts: AlertStore
  deliveries: DeliveryStore
  takeSnapshot: () => Promise<SiteSnapshot>
  send: Send
  /** The leader sends; the other nodes only write deliveries of the events that their detectors report. */
  cluster: Pick<Cluster, 'isLeader' | 'isShared'>
  isDatabaseAway: () => boolean
} & Pick<ServerContext, 'now'>

/**
 * Compares the state of the site with what was reported, every two seconds, and reports the differences. What was
 * reported is stored, so that a restart neither forgets nor repeats it. While the database is away, the engine uses the
 * alerts that it read last, and writes once the database is back.
 */
export const createAlertEngine = (needs: Needs): AlertEngine => {
  const { alerts, deliveries: deliveryStore, takeSnapshot, send, cluster, isDatabaseAway, now } = needs
  let current: readonly StoredAlert[] = []
  let isRead = false
  /** What each alert has reported, by the id of the alert; so are `groups`. */
  let memories = new Map<string, Memory>()
  const groups = new Map<string, Group>()
  const failedWrites = createFailedWrites(isDatabaseAway)
  const { write } = failedWrites
  const turns = createSerialQueue()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let wasLeader = false

  const deliveries = createDeliveries(deliveryStore, { send, now, write })

  const memoryOf = (id: string): Memory => {
    const memory: Memory = memories.get(id) ?? new Map()
    memories.set(id, memory)
    return memory
  }
  const groupOf = (id: string): Group => {
    const group = groups.get(id) ?? createGroup()
    groups.set(id, group)
    return group
  }

  /**
   * Reads the alerts again, or keeps them while the database is away, and repeats failed writes. Rejects until they
   * were read once: what waits would seem to be of alerts that were removed.
   */
  const refresh = async (): Promise<void> => {
    try {
      current = await alerts.list()
      isRead = true
      const ids = new Set(current.map(({ id }) => id))
      for (const id of [...memories.keys(), ...groups.keys()]) {
        if (ids.has(id)) continue
        memories.delete(id)
        groups.delete(id)
      }
    } catch (error) {
      if (!isRead || !isWriteError(error)) throw error
    }
    await failedWrites.repeat()
  }

  const remember = async (alert: string, reported: Due['reported']): Promise<void> => {
    const memory = memoryOf(alert)
    const changes = new Map(reported)
    for (const [subject, each] of reported) {
      if (each === undefined) memory.delete(subject)
      else memory.set(subject, each)
    }
    for (const subject of forgettable(memory)) {
      memory.delete(subject)
      changes.set(subject, undefined)
    }
    for (const [subject, each] of changes)
      await write(`reported ${alert} ${subject}`, () => alerts.remember(alert, subject, each))
  }

  /** Makes the keys of writes differ, as none may replace another. */
  let holdCount = 0

  /** Reports faults; and events while the database can't say what other nodes have reported. */
  const reportByMemory = async (alert: StoredAlert, { happenings, reported }: Due): Promise<void> => {
    // Deliveries first: after a crash in between the happenings are reported twice rather than never.
    if (happenings.length > 0 && isQuiet(alert.quietHours, now())) {
      holdCount += 1
      if (alert.quietHours?.summary === true)
        await write(`held ${alert.id} ${holdCount}`, () => alerts.hold(alert.id, happenings))
    } else if (happenings.length > 0) await deliveries.add(alert, happenings)
    await remember(alert.id, reported)
  }

  const report = async (alert: StoredAlert, due: Due): Promise<void> => {
    const subjects = due.happenings.filter(({ on }) => on === 'event').map(subjectOfEvent)
    if (subjects.length === 0 || failedWrites.isHoldingBack()) return reportByMemory(alert, due)
    const reported = new Map(due.reported)
    const keep = async (unreported: ReadonlySet<string>) => {
      for (const subject of subjects) if (!unreported.has(subject)) reported.delete(subject)
      const happenings = due.happenings.filter((each) => each.on !== 'event' || unreported.has(subjectOfEvent(each)))
      if (happenings.length === 0) return []
      if (!isQuiet(alert.quietHours, now())) return deliveries.write(alert, happenings)
      if (alert.quietHours?.summary === true) await alerts.hold(alert.id, happenings)
      return []
    }
    try {
      const times = { now: now(), quietMs: quietMsOf(alert) }
      await deliveries.take(alert, await alerts.report(alert.id, subjects, times, keep))
    } catch (error) {
      if (!isWriteError(error)) throw error
      return reportByMemory(alert, due)
    }
    return remember(alert.id, reported)
  }

  /** Delivers what was held in quiet hours that are over, unless the alert no longer asks for a summary. */
  const reportHeld = async (): Promise<void> => {
    if (failedWrites.isHoldingBack()) return
    try {
      const withHeld = await alerts.idsWithHeld()
      for (const alert of current) {
        if (!withHeld.has(alert.id) || isQuiet(alert.quietHours, now())) continue
        const { happenings, total } = await alerts.held(alert.id)
        if (alert.quietHours?.summary !== false) await deliveries.add(alert, happenings, total)
        await alerts.dropHeld(alert.id)
      }
    } catch (error) {
      if (!isWriteError(error)) throw error
    }
  }

  /** Without a summary, faults that last beyond the quiet hours are reported after them; all else is dropped. */
  const isDropping = ({ quietHours }: StoredAlert): boolean =>
    quietHours?.summary === false && isQuiet(quietHours, now())

  const reportEvents = async (take: (group: Group) => Due): Promise<void> => {
    for (const alert of current) {
      const group = groupOf(alert.id)
      if (isDropping(alert)) group.takeEvents(now())
      else await report(alert, take(group))
    }
  }

  /** Reads what an earlier leader has reported, and the deliveries that other nodes have made since. */
  const readReported = async (): Promise<void> => {
    if (wasLeader && (!cluster.isShared || isDatabaseAway())) return
    if (!wasLeader) memories = await alerts.memories()
    await deliveries.load(!wasLeader)
    wasLeader = true
  }

  const check = (): Promise<void> =>
    turns(async () => {
      if (isStopped) return
      await refresh()
      // While the database is away there is no leader; the last one continues.
      if (!cluster.isLeader() && !(wasLeader && isDatabaseAway())) {
        wasLeader = false
        await reportEvents((group) => group.takeSettledEvents(now()))
        return deliveries.leaveToOthers()
      }
      await readReported()
      if (current.length > 0) {
        const snapshot = await takeSnapshot()
        for (const alert of current) {
          if (isDropping(alert)) {
            groupOf(alert.id).takeEvents(now())
            await remember(alert.id, endedOf(memoryOf(alert.id), snapshot))
          } else await report(alert, groupOf(alert.id).takeDue(alert, memoryOf(alert.id), snapshot, now()))
        }
      }
      await reportHeld()
      deliveries.sendDue(current)
      return undefined
    })

  /** Makes deliveries, for the next start, of events that wait to be grouped. */
  const keepEvents = (): Promise<void> => turns(() => reportEvents((group) => group.takeEvents(now())))

  return {
    check,
    readAlerts: () => ignoreDiskErrors(() => turns(refresh)),
    start: async () => {
      if (isStopped) return
      // While a check takes long, only one more waits.
      timer = setInterval(guarded('alerts: check', createRepeated(check)), checkEveryMs)
      timer.unref()
      // While the database is away, the next checks read what this one could not.
      await ignoreDiskErrors(check)
    },
    handleEvents: (events) => {
      for (const event of events) {
        for (const alert of current) {
          if (isAbout(alert, event)) groupOf(alert.id).addEvent(alert, memoryOf(alert.id), event, now())
        }
      }
    },
    settled: deliveries.settled,
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await deliveries.stop()
      await keepEvents()
    },
  }
}
