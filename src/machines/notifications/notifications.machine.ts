import { assign, cancel, enqueueActions, setup } from 'xstate'

export interface Notification {
  id: string
  tone: 'error' | 'success'
  /** A code of the API or of the console, which the views translate. */
  code: string
  values: Readonly<Record<string, string>>
  /** The request id of the response, as in the server's log. */
  requestId?: string
  /** It doesn't expire. */
  stays: boolean
}

export type NotificationsEvent =
  /** `key` makes a notification the only one of its kind, and one that can be withdrawn. */
  | {
      type: 'notification.raised'
      tone: Notification['tone']
      code: string
      values?: Readonly<Record<string, string>>
      requestId?: string
      key?: string
    }
  | { type: 'notification.withdrawn'; key: string }
  /** What failed before doesn't matter any more, except for toasts with a key, which end with their cause. */
  | { type: 'errors.withdrawn' }
  | { type: 'notification.dismissed'; id: string }
  | { type: 'notification.expired'; id: string }
  | { type: 'reading.started' }
  | { type: 'reading.ended' }

interface Context {
  shown: readonly Notification[]
  next: number
}

const maxShown = 4
const lifetimeMs = { error: 9000, success: 5000 }

/**
 * The toasts, at most four. Each disappears after its time; while the pointer or focus is on them all stay, with their
 * full time afterwards. A toast with a key stays until it is withdrawn or dismissed.
 */
export const notificationsMachine = setup({
  types: { context: {} as Context, events: {} as NotificationsEvent },
  actions: {
    show: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'notification.raised') return
      const { tone, code, values = {}, requestId, key } = event
      if (key === undefined && context.shown.some((one) => one.stays && isSame(one, code, values))) return
      const id = key ?? `${context.next}`
      const others = context.shown.filter((one) => one.id !== id && !isSame(one, code, values))
      const toast = { id, tone, code, values, ...(requestId === undefined ? {} : { requestId }) }
      enqueue.assign({
        shown: withinLimit([...others, { ...toast, stays: key !== undefined }]),
        next: context.next + 1,
      })
    }),
    remove: assign({
      shown: ({ context, event }) => {
        const id = 'id' in event ? event.id : 'key' in event ? event.key : undefined
        return context.shown.some((one) => one.id === id) ? context.shown.filter((one) => one.id !== id) : context.shown
      },
    }),
    removeErrors: assign({
      shown: ({ context: { shown } }) => shown.filter(({ tone, stays }) => tone !== 'error' || stays),
    }),
    stopExpiring: enqueueActions(({ context, enqueue }) => {
      for (const { id } of context.shown) enqueue(cancel(expiry(id)))
    }),
    startExpiring: enqueueActions(({ context, enqueue }) => {
      for (const { id, tone, stays } of context.shown)
        if (!stays) enqueue.raise({ type: 'notification.expired', id }, { id: expiry(id), delay: lifetimeMs[tone] })
    }),
    startExpiringLast: enqueueActions(({ context, enqueue }) => {
      const last = context.shown.at(-1)
      if (last === undefined || last.stays) return
      enqueue.raise(
        { type: 'notification.expired', id: last.id },
        { id: expiry(last.id), delay: lifetimeMs[last.tone] },
      )
    }),
  },
  guards: { isEmpty: ({ context }) => context.shown.length === 0 },
}).createMachine({
  id: 'notifications',
  context: { shown: [], next: 1 },
  initial: 'unread',
  on: {
    'notification.withdrawn': { actions: 'remove' },
    'errors.withdrawn': { actions: 'removeErrors' },
    'notification.dismissed': { actions: 'remove' },
  },
  states: {
    unread: {
      on: {
        'notification.raised': { actions: ['show', 'startExpiringLast'] },
        'notification.expired': { actions: 'remove' },
        'reading.started': 'beingRead',
      },
    },
    beingRead: {
      entry: 'stopExpiring',
      exit: 'startExpiring',
      /** Browsers send no blur event when a toast with the focus is removed. */
      always: { guard: 'isEmpty', target: 'unread' },
      on: { 'notification.raised': { actions: 'show' }, 'reading.ended': 'unread' },
    },
  },
})

/** One too many: the oldest that would expire makes room for the newest. */
function withinLimit(toasts: readonly Notification[]): readonly Notification[] {
  if (toasts.length <= maxShown) return toasts
  const dropped = toasts.slice(0, -1).find(({ stays }) => !stays) ?? toasts[0]
  return toasts.filter((one) => one !== dropped)
}

const expiry = (id: string) => `expire.${id}`

function isSame(one: Notification, code: string, values: Readonly<Record<string, string>>): boolean {
  return one.code === code && JSON.stringify(one.values) === JSON.stringify(values)
}
