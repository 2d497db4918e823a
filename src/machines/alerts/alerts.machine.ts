import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { Alert, AlertDeliveries, Alerts, AlertTested } from '../../api/contract/alerts.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import type { PageInput } from '../app/app.events.ts'
import { camerasMachine } from '../streams/cameras.machine.ts'
import type { FormReport } from '../form/form.events.ts'
import { notProvided } from '../not-provided.ts'
import { raiseToast } from '../notifications/toast.ts'
import { resourceMachineOf } from '../resource/resource.machine.ts'
import type { PushAnswer } from '../../api/browser/worker.ts'
import {
  alertFormMachine,
  type AlertValues,
  alertValuesOf,
  blankAlert,
  type DestinationValues,
} from './alert-values.ts'

export const alertListMachine = resourceMachineOf<Alerts, null, { id: string }>({
  pollMs: null,
  queryOf: () => null,
  isSubject: true,
})

export const deliveriesMachine = resourceMachineOf<AlertDeliveries, number>({ pollMs: 5000, queryOf: () => 1 })

export type AlertsEvent =
  | { type: 'add.requested' }
  | { type: 'edit.requested'; alert: Alert }
  | { type: 'delete.requested'; alert: Alert }
  | { type: 'delete.confirmed' }
  | { type: 'dialog.closed' }
  | { type: 'test.requested'; alert: Alert }
  /** This browser becomes the destination at an index of those in the form. */
  | { type: 'push.requested'; key: string; to: readonly DestinationValues[]; index: number }
  | { type: 'page.missing' }
  | FormReport<AlertValues, object>

/** The result of the last test. Without items the server only confirms that it was sent. */
export interface AlertTest {
  readonly id: string
  readonly items: AlertTested['items']
  readonly apiError: ApiError | null
}

interface Context {
  list: ActorRefFrom<typeof alertListMachine>
  cameras: ActorRefFrom<typeof camerasMachine>
  /** If the server reports what it sent. */
  deliveries: ActorRefFrom<typeof deliveriesMachine> | null
  /** The alert that is edited or deleted; null: a new one. */
  chosen: Alert | null
  testing: string
  tested: AlertTest | null
  push: { key: string; to: readonly DestinationValues[]; index: number }
  /** Why this browser takes no messages. */
  pushRefusal: Exclude<PushAnswer, { ok: true }>['reason'] | null
}

/**
 * The alerts: what the server reports to which addresses. Dialogs add, edit and delete one; a test of one is sent on
 * demand, and what came of it is kept until the next. Beside them is what was sent, if the server reports it.
 */
export const alertsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as AlertsEvent,
    input: {} as PageInput,
    children: {} as { form: 'form'; testAlert: 'testAlert'; subscribe: 'subscribe' },
  },
  actors: {
    list: alertListMachine,
    cameras: camerasMachine,
    deliveries: deliveriesMachine,
    form: alertFormMachine,
    subscribe: fromPromise<PushAnswer, { key: string }>(notProvided),
    testAlert: fromPromise<Reply<AlertTested>, { id: string }>(notProvided),
  },
  actions: {
    notifyMissing: sendParent({ type: 'page.missing' }),
    notifySaved: enqueueActions(({ context: { list }, enqueue, system }, { name }: { name: string }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'alertSaved', values: { name } })
      enqueue.sendTo(list, { type: 'query.changed', query: null })
    }),
    remove: enqueueActions(({ context: { list, chosen }, enqueue }) => {
      if (chosen !== null) enqueue.sendTo(list, { type: 'command.requested', command: { id: chosen.id } })
    }),
    handlePush: enqueueActions(({ context: { push }, enqueue }, { answer }: { answer: PushAnswer }) => {
      enqueue.assign({ pushRefusal: answer.ok ? null : answer.reason })
      if (!answer.ok) return
      const to = push.to.map((each, index) => (index === push.index ? { ...each, address: answer.address } : each))
      enqueue.sendTo('form', { type: 'form.edited', values: { to } })
    }),
    assignTest: assign(({ context }, { reply }: { reply: Reply<AlertTested> }) => ({
      tested: reply.ok
        ? { id: context.testing, items: reply.value.items, apiError: null }
        : { id: context.testing, items: [], apiError: apiErrorOf(reply) },
    })),
    loseTest: assign(({ context }) => ({ tested: { id: context.testing, items: [], apiError: unknownApiError } })),
  },
}).createMachine({
  id: 'alerts',
  type: 'parallel',
  context: ({ input, spawn }) => ({
    list: spawn('list', { id: 'list', input }),
    cameras: spawn('cameras', { id: 'cameras', input }),
    deliveries: input.settings.features.includes('alert-deliveries')
      ? spawn('deliveries', { id: 'deliveries', input })
      : null,
    chosen: null,
    testing: '',
    tested: null,
    push: { key: '', to: [], index: 0 },
    pushRefusal: null,
  }),
  on: { 'page.missing': { actions: 'notifyMissing' } },
  states: {
    dialog: {
      initial: 'closed',
      states: {
        closed: {
          on: {
            'add.requested': { target: 'editing', actions: assign({ chosen: null }) },
            'edit.requested': { target: 'editing', actions: assign({ chosen: ({ event }) => event.alert }) },
            'delete.requested': { target: 'confirming', actions: assign({ chosen: ({ event }) => event.alert }) },
          },
        },
        editing: {
          entry: assign({ pushRefusal: null }),
          initial: 'typing',
          states: {
            typing: {
              on: {
                'push.requested': {
                  target: 'subscribing',
                  actions: assign({ push: ({ event: { key, to, index } }) => ({ key, to, index }), pushRefusal: null }),
                },
              },
            },
            subscribing: {
              tags: 'busy',
              invoke: {
                id: 'subscribe',
                src: 'subscribe',
                input: ({ context }) => ({ key: context.push.key }),
                onDone: {
                  target: 'typing',
                  actions: { type: 'handlePush', params: ({ event }) => ({ answer: event.output }) },
                },
                onError: { target: 'typing', actions: assign({ pushRefusal: 'failed' }) },
              },
            },
          },
          invoke: {
            id: 'form',
            src: 'form',
            input: ({ context: { chosen } }) => ({
              facts: null,
              values: chosen === null ? blankAlert : alertValuesOf(chosen),
            }),
          },
          on: {
            'dialog.closed': 'closed',
            'form.saved': {
              target: 'closed',
              actions: { type: 'notifySaved', params: ({ event }) => ({ name: event.values.name.trim() }) },
            },
          },
        },
        confirming: { on: { 'delete.confirmed': { target: 'closed', actions: 'remove' }, 'dialog.closed': 'closed' } },
      },
    },
    test: {
      initial: 'idle',
      states: {
        idle: {
          on: {
            'test.requested': {
              target: 'sending',
              actions: assign({ testing: ({ event }) => event.alert.id, tested: null }),
            },
          },
        },
        sending: {
          tags: 'busy',
          invoke: {
            id: 'testAlert',
            src: 'testAlert',
            input: ({ context }) => ({ id: context.testing }),
            onDone: {
              target: 'idle',
              actions: { type: 'assignTest', params: ({ event }) => ({ reply: event.output }) },
            },
            onError: { target: 'idle', actions: 'loseTest' },
          },
        },
      },
    },
  },
})
