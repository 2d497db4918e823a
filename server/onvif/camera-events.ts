import type { AnnotationBody } from '../../src/api/contract/events.ts'
import type { Notification } from './notifications.ts'

type Options = {
  uid: string
  /** Adds an annotation and returns its id. */
  add: (annotation: AnnotationBody) => Promise<number | undefined>
  end: (id: number, time: number) => Promise<void>
}

type Event = { id: number; start: number; finish: number }
/** `keys`: of the notifications that are on, as a camera may report one motion by several topics. */
type OpenEvent = Event & { keys: Set<string> }

/** An event that begins again within this time is the same event, and so is one that begins while it lasted. */
const joinMs = 5000
const maxNames = 32
const maxKeys = 32

const onvifSource = 'onvif'

const nameOf = ({ label, input }: Notification): string => `${label} ${input}`

/** Turns the states of one camera into annotations: each is opened by a rising edge and closed by the falling one. */
export const createCameraEvents = ({ uid, add, end }: Options) => {
  const open = new Map<string, OpenEvent>()
  const ended = new Map<string, Event>()
  let confirmed = new Set<string>()

  const begin = async (name: string, label: string, time: number): Promise<Event | undefined> => {
    const before = ended.get(name)
    // Much earlier than its start: the clock was set back.
    if (before !== undefined && time > before.start - joinMs && time - before.finish < joinMs) {
      ended.delete(name)
      return before
    }
    const id = await add({ streamId: uid, type: 'event', time, label, source: onvifSource })
    return id === undefined ? undefined : { id, start: time, finish: time }
  }

  const finish = async (name: string, event: Event, time: number): Promise<void> => {
    const { id, start } = event
    const last = Math.max(start, event.finish, time)
    ended.delete(name)
    ended.set(name, { id, start, finish: last })
    const [oldest] = ended.keys()
    if (ended.size > maxNames && oldest !== undefined) ended.delete(oldest)
    if (last > event.finish) await end(id, last)
  }

  const close = async (name: string, time: number): Promise<void> => {
    const event = open.get(name)
    if (event === undefined) return
    open.delete(name)
    await finish(name, event, time)
  }

  const rise = async (notification: Notification, time: number): Promise<void> => {
    const { key, label } = notification
    const name = nameOf(notification)
    const known = open.get(name)
    if (known !== undefined) {
      if (known.keys.size < maxKeys) known.keys.add(key)
      if (known.keys.has(key)) confirmed.add(key)
      return
    }
    if (open.size >= maxNames) return
    const event = await begin(name, label, time)
    if (event === undefined) return
    open.set(name, { ...event, keys: new Set([key]) })
    confirmed.add(key)
  }

  const fall = async (notification: Notification, time: number): Promise<void> => {
    const name = nameOf(notification)
    const known = open.get(name)
    confirmed.delete(notification.key)
    if (known?.keys.delete(notification.key) === true && known.keys.size === 0) await close(name, time)
  }

  return {
    note: async (notification: Notification, time: number): Promise<void> => {
      if (notification.isOn === true) return rise(notification, time)
      if (notification.isOn === false) return fall(notification, time)
      const event = await begin(nameOf(notification), notification.label, time)
      if (event !== undefined) await finish(nameOf(notification), event, time)
    },
    /** Called when a subscription begins. Open events that its first answer doesn't confirm have ended. */
    expect: (): void => {
      confirmed = new Set()
    },
    closeUnconfirmed: async (time: number): Promise<void> => {
      for (const [name, { keys }] of open) {
        for (const key of keys) if (!confirmed.has(key)) keys.delete(key)
        if (keys.size === 0) await close(name, time)
      }
    },
    closeAll: async (time: number): Promise<void> => {
      for (const name of open.keys()) await close(name, time)
    },
  }
}

export type CameraEvents = ReturnType<typeof createCameraEvents>
