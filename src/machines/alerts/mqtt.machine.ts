import { type ActorRefFrom, assign, fromPromise, sendTo, setup } from 'xstate'
import type { MqttDeliveries, MqttTested } from '../../api/contract/mqtt.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import type { PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import { resourceMachineOf } from '../resource/resource.machine.ts'

/** The query is the number of the page, from 1. */
export const mqttDeliveriesMachine = resourceMachineOf<MqttDeliveries, number>({ pollMs: 5000, queryOf: () => 1 })

export type MqttEvent = { type: 'test.requested' }

interface Context {
  list: ActorRefFrom<typeof mqttDeliveriesMachine>
  /** The result of the last test. */
  tested: MqttTested | null
  /** Why the request for the last test failed. */
  apiError: ApiError | null
}

/**
 * The messages to the MQTT broker on the alerts page (docs/behaviour.md §20): their list, and a test message on
 * request, whose result stays until the next test.
 */
export const mqttMachine = setup({
  types: {
    context: {} as Context,
    events: {} as MqttEvent,
    input: {} as PageInput,
    children: {} as { testMqtt: 'testMqtt' },
  },
  actors: {
    list: mqttDeliveriesMachine,
    testMqtt: fromPromise<Reply<MqttTested>>(notProvided),
  },
  actions: {
    refresh: sendTo(({ context }) => context.list, { type: 'resource.retried' }),
    assignResult: assign((_args, { reply }: { reply: Reply<MqttTested> }) =>
      reply.ok ? { tested: reply.value } : { apiError: apiErrorOf(reply) },
    ),
  },
}).createMachine({
  id: 'mqtt',
  context: ({ input, spawn }) => ({ list: spawn('list', { id: 'list', input }), tested: null, apiError: null }),
  initial: 'idle',
  states: {
    idle: { on: { 'test.requested': { target: 'sending', actions: assign({ tested: null, apiError: null }) } } },
    sending: {
      tags: 'busy',
      invoke: {
        id: 'testMqtt',
        src: 'testMqtt',
        onDone: {
          target: 'idle',
          actions: [{ type: 'assignResult', params: ({ event }) => ({ reply: event.output }) }, 'refresh'],
        },
        onError: { target: 'idle', actions: assign({ apiError: unknownApiError }) },
      },
    },
  },
})
