import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import type { MqttTested } from '../../api/contract/mqtt.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { mqttDeliveriesMachine, mqttMachine } from './mqtt.machine.ts'

const connection = { address: 'mqtts://broker.example:8883', topic: 'sightline', connected: true, failureReason: '' }
const sent = { topic: 'sightline/test', sent: true, failureReason: '' }

const open = (tested: Reply<MqttTested>) => {
  const asked: string[] = []
  const page = openPage(
    mqttMachine.provide({
      actors: {
        list: mqttDeliveriesMachine.provide({
          actors: {
            fetchResource: fromPromise(async ({ input }) => {
              asked.push(`page ${input.query}`)
              return ok({ items: [], page: 1, pageSize: 50, total: 0, connection })
            }),
          },
        }),
        testMqtt: fromPromise(async () => {
          asked.push('test')
          return tested
        }),
      },
    }),
    pageInput(),
  )
  return { ...page, asked }
}

test.each([
  ['that it was sent', ok(sent), { tested: sent, code: undefined }],
  ['why it was refused', refused(429, 'TooManyRequests'), { tested: null, code: 'TooManyRequests' }],
])('a test says %s, and the list is fetched again', async (_what, reply, expected) => {
  const { asked, send, context } = open(reply)
  await settle()
  send({ type: 'test.requested' })
  send({ type: 'test.requested' })
  await settle()
  const { tested, apiError } = context()
  expect({ asked, tested, code: apiError?.code }).toEqual({ asked: ['page 1', 'test', 'page 1'], ...expected })
})

test('every edge of the chart is walked', () => {
  const { declared, covered, strayed } = walkEdges(mqttMachine, {
    model: mqttMachine.provide({ actions: { refresh: () => undefined } }),
    input: pageInput(),
    events: [
      { type: 'test.requested' },
      { type: 'xstate.done.actor.testMqtt', output: ok(sent) },
      { type: 'xstate.error.actor.testMqtt', error: new Error('not provided') },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(strayed).toEqual([])
  expect(covered).toEqual(declared)
})
