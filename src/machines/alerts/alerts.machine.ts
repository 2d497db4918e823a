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
import type { PushAnswer } from '../../api/browser/service-worker.ts'
import { mqttMachine } from './mqtt.machine.ts'
import {
  alertFormMachine,
  type AlertValues,
  alertValuesOf,
  blankAlert,
  type DestinationValues,
} from './alert-values.ts'

/** The command deletes an alert. */
export const alertListMachine = resourceMachineOf<Alerts, null, { id: string }>({
  pollMs: null,
  queryOf: () => null,
  isSubject: true,
})

/** The query is the number of the page, from 1. */
export const deliveriesMachine = resourceMachineOf<AlertDeliveries, number>({ pollMs: 5000, queryOf: () => 1 })

export type AlertsEvent =
  | { type: 'add.requested' }
  | { type: 'edit.requested'; alert: Alert }
  | { type: 'delete.requested'; alert: Alert }
  | { type: 'delete.confirmed' }
  | { type: 'dialog.closed' }
  | { type: 'test.requested'; alert: Alert }
  /**
   * Subscribes this browser to push messages of the server with the public key `key`. The subscription becomes the
   * address of `to[index]` in the form.
   */
  | { type: 'push.requested'; key: string; index: number }
  | { type: 'page.missing' }
  | FormReport<AlertValues, object>

/**
 * The result of the last test of the alert `id`, with an item for each destination. There are no items if the server
 * doesn't report destinations, or if the request failed with `apiError`.
 */
export interface TestResult {
  readonly id: string
  readonly items: AlertTested['items']
  readonly apiError: ApiError | null
}

interface Context {
  list: ActorRefFrom<typeof alertListMachine>
  cameras: ActorRefFrom<typeof camerasMachine>
  /** Null if the server doesn't list deliveries. */
  deliveries: ActorRefFrom<typeof deliveriesMachine> | null
  /** Null if the server publishes to no broker. */
  mqtt: ActorRefFrom<typeof mqttMachine> | null
  /** The alert that the dialog edits or deletes; null: a new one. */
  chosen: Alert | null
  /** The id of the alert that was tested last. */
  testedId: string
  testResult: TestResult | null
  /** Of the last `push.requested`. The destination may have moved in the form since. */
  push: { key: string; destination: DestinationValues | null }
  /** Why subscribing this browser to push messages failed. */
  pushRefusal: Exclude<PushAnswer, { ok: true }>['reason'] | null
}

/**
 * The alerts page: the list of alerts, dialogs that add, edit and delete one, and the deliveries and the messages to
 * the MQTT broker if the server lists them. A test message of an alert is sent on request; its result stays until the
 * next test.
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
    mqtt: mqttMachine,
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
    assignPush: assign(({ self }, { key, index }: { key: string; index: number }) => {
      const form: ActorRefFrom<typeof alertFormMachine> | undefined = self.getSnapshot().children.form
      return { push: { key, destination: form?.getSnapshot().context.values.to[index] ?? null }, pushRefusal: null }
    }),
    /** The destinations may have been edited while the browser asked for permission, so they are read from the form. */
    handlePush: enqueueActions(({ context: { push }, enqueue, self }, { answer }: { answer: PushAnswer }) => {
      enqueue.assign({ pushRefusal: answer.ok ? null : answer.reason })
      const form: ActorRefFrom<typeof alertFormMachine> | undefined = self.getSnapshot().children.form
      const to = form?.getSnapshot().context.values.to
      if (!answer.ok || to === undefined) return
      const withAddress = to.map((each) =>
        each === push.destination && each.kind === 'push' ? { ...each, address: answer.address } : each,
      )
      enqueue.sendTo('form', { type: 'form.edited', values: { to: withAddress } })
    }),
    assignTestResult: assign(({ context }, { reply }: { reply: Reply<AlertTested> }) => ({
      testResult: reply.ok
        ? { id: context.testedId, items: reply.value.items, apiError: null }
        : { id: context.testedId, items: [], apiError: apiErrorOf(reply) },
    })),
    assignTestFailure: assign(({ context }) => ({
      testResult: { id: context.testedId, items: [], apiError: unknownApiError },
    })),
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
    mqtt: input.settings.features.includes('mqtt') ? spawn('mqtt', { id: 'mqtt', input }) : null,
    chosen: null,
    testedId: '',
    testResult: null,
    push: { key: '', destination: null },
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
                  actions: { type: 'assignPush', params: ({ event }) => event },
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
              actions: assign({ testedId: ({ event }) => event.alert.id, testResult: null }),
            },
          },
        },
        sending: {
          tags: 'busy',
          invoke: {
            id: 'testAlert',
            src: 'testAlert',
            input: ({ context }) => ({ id: context.testedId }),
            onDone: {
              target: 'idle',
              actions: { type: 'assignTestResult', params: ({ event }) => ({ reply: event.output }) },
            },
            onError: { target: 'idle', actions: 'assignTestFailure' },
          },
        },
      },
    },
  },
})
