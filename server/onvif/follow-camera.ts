import { setTimeout as pause } from 'node:timers/promises'
import type { PtzAbilities } from '../../src/api/contract/ptz.ts'
import { reportFault } from '../guarded.ts'
import type { CameraEvents } from './camera-events.ts'
import { CameraFailure } from './client.ts'
import type { Device, Link } from './device.ts'
import { happenedAt, notificationsOf, timeOf } from './notifications.ts'
import { clockIn, openPullPoint, renewAfterMs } from './pull-point.ts'

type Options = {
  link: Link
  events: CameraEvents
  now: () => number
  /** 0 to 1, for jitter. */
  random: () => number
  signal: AbortSignal
  onAbilities: (abilities: PtzAbilities | undefined) => void
  /** '' once the camera answers. */
  onState: (reason: string) => void
}

const firstDelayMs = 1000
const maxDelayMs = 300_000
/** After a rejected password, as cameras lock out a user after repeated failures. */
const rejectedMs = 60_000
/** The least time between two pulls, for a camera that answers at once instead of waiting for an event. */
const paceMs = 1000
/** Open events end when the camera has been lost for this long. */
const lostMs = 60_000

const delayOf = (failures: number, isRejected: boolean, random: number): number =>
  Math.max(Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - 1)), isRejected ? rejectedMs : 0) * (0.7 + 0.6 * random)

/** Pulls events until an error or the signal ends it. */
const pullEvents = async (
  { call, otherSources }: Pick<Device, 'call' | 'otherSources'>,
  url: URL,
  { events, now, signal }: Options,
  onPulled: (arrivedAt: number) => Promise<void>,
): Promise<void> => {
  const point = await openPullPoint(call, url)
  let renewedAt = performance.now()
  try {
    while (!signal.aborted) {
      const askedAt = performance.now()
      const answer = await point.pull(signal)
      const arrivedAt = now()
      const clocks = { arrivedAt, cameraNow: timeOf(clockIn(answer)) }
      for (const notification of notificationsOf(answer)) {
        if (notification.sources.some((source) => otherSources.has(source))) continue
        await events.note(notification, happenedAt(notification, clocks))
      }
      await onPulled(arrivedAt)
      if (performance.now() - renewedAt > renewAfterMs) {
        await point.renew()
        renewedAt = performance.now()
      }
      await pause(Math.max(0, paceMs - (performance.now() - askedAt)), undefined, { signal })
    }
  } finally {
    await point.unsubscribe()
  }
}

/**
 * Asks a camera what it can do and follows its events until `signal` aborts. Retries after each failure, with growing
 * delays.
 */
export const followCamera = async (options: Options): Promise<void> => {
  const { link, events, now, random, signal, onAbilities, onState } = options
  let failures = 0
  let lastAt = now()

  const follow = (): Promise<boolean> =>
    link.use(async (device) => {
      // The stream may have been paused or changed while the camera was asked.
      if (signal.aborted) return false
      onAbilities(device.ptz?.abilities)
      if (device.events === undefined) {
        onState('')
        return false
      }
      events.expect()
      let isFirst = true
      await pullEvents(device, device.events, options, async (arrivedAt) => {
        if (isFirst) await events.closeUnconfirmed(lastAt)
        isFirst = false
        onState('')
        failures = 0
        lastAt = arrivedAt
      })
      return true
    })

  const isOver = (): boolean => signal.aborted
  while (!isOver()) {
    try {
      if (!(await follow())) break
    } catch (error) {
      if (isOver()) break
      const isFailure = error instanceof CameraFailure
      if (isFailure) onState(error.reason)
      else reportFault({ callback: 'onvif: events', error })
      failures += 1
      const isRejected = isFailure && error.reason === 'HTTP_UNAUTHORIZED'
      // The clock may have been set back.
      if (Math.abs(now() - lastAt) > lostMs) await events.closeAll(lastAt)
      await pause(delayOf(failures, isRejected, random()), undefined, { signal }).catch(() => undefined)
    }
  }
  await events.closeAll(lastAt)
}
