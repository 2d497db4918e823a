import { createActor, createMachine, fromPromise, SimulatedClock, type AnyEventObject } from 'xstate'
import { describe, expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { noResponse } from '../../api/reply.ts'
import type { RangeFacts } from './range-facts.ts'
import type { MarkEvent } from './in-out-marks.ts'
import { selectionMachine, type Measured, type SelectionInput } from './selection.machine.ts'

const input: SelectionInput = { uid: 'gate', chunkMs: 10_800_000, selection: null }
const facts: RangeFacts = { recordedMs: 900, gaps: 1, gapMs: 100 }
const measured: Measured = { ok: true, value: facts, retryAfterSeconds: null }
const refused: Measured = { ok: false, apiError: noResponse }

function start(given: Partial<SelectionInput> = {}, answers: Measured[] = [measured]) {
  const received: AnyEventObject[] = []
  const asked: object[] = []
  const clock = new SimulatedClock()
  const machine = selectionMachine.provide({
    actors: {
      measure: fromPromise(async ({ input: { from, to } }) => {
        asked.push({ from, to })
        return answers.shift() ?? measured
      }),
    },
  })
  const parent = createActor(
    createMachine({
      invoke: { id: 'selection', src: machine, input: { ...input, ...given } },
      on: { '*': { actions: ({ event }) => received.push(event) } },
    }),
    { clock },
  ).start()
  const actor = parent.getSnapshot().children['selection']
  if (actor === undefined) throw new Error('the selection has no actor')
  const send = (...events: MarkEvent[]) => {
    for (const event of events) actor.send(event)
  }
  const pass = async (ms: number) => {
    clock.increment(ms)
    await Promise.resolve()
    await Promise.resolve()
  }
  return {
    received,
    asked,
    send,
    pass,
    actor,
    value: () => JSON.stringify(actor.getSnapshot().value),
    context: () => actor.getSnapshot().context,
  }
}

describe('marks', () => {
  test('in, then out, make a selection, which is reported', () => {
    const { send, received, value } = start()
    send({ type: 'selection.inMarked', at: 1000 })
    expect([value(), received.at(-1)]).toEqual(['"begun"', { type: 'selection.changed', selection: null }])
    send({ type: 'selection.outMarked', at: 2000 })
    expect([value(), received.at(-1)]).toEqual([
      '{"whole":"settling"}',
      { type: 'selection.changed', selection: { from: 1000, to: 2000 } },
    ])
  })

  test('a mark beyond the other one starts a new range', () => {
    const { send, context } = start({ selection: { from: 1000, to: 2000 } })
    send({ type: 'selection.inMarked', at: 3000 })
    expect(context()).toMatchObject({ from: 3000, to: null })
    send({ type: 'selection.outMarked', at: 2500 })
    expect(context()).toMatchObject({ from: null, to: 2500 })
  })

  test('a span drawn backwards is the same span', () => {
    const { send, received } = start()
    send({ type: 'selection.spanned', from: 2000, to: 1000 }, { type: 'selection.cleared' })
    expect(received.map((event) => event['selection'])).toEqual([{ from: 1000, to: 2000 }, null])
  })
})

test('a selection is measured after a pause, and again after an error', async () => {
  const { send, asked, pass, context, value } = start({}, [refused, measured])
  send({ type: 'selection.spanned', from: 0, to: 500 })
  await pass(200)
  send({ type: 'selection.spanned', from: 0, to: 1000 })
  await pass(299)
  expect(asked).toEqual([])
  await pass(1)
  expect([asked, value(), context().facts]).toEqual([[{ from: 0, to: 1000 }], '{"whole":"unmeasured"}', null])
  await pass(15_000)
  expect([value(), context().facts]).toEqual(['{"whole":"measured"}', facts])
})

test('every edge of the chart is walked', () => {
  const nothing = () => undefined
  const walked = walkEdges(selectionMachine, {
    model: selectionMachine.provide({ actions: { report: nothing } }),
    input,
    events: [
      { type: 'selection.inMarked', at: 1000 },
      { type: 'selection.outMarked', at: 2000 },
      { type: 'selection.spanned', from: 1000, to: 3000 },
      { type: 'selection.cleared' },
      { type: 'xstate.after.editingPause.selection.whole.settling' },
      { type: 'xstate.after.retryPause.selection.whole.unmeasured' },
      { type: 'xstate.done.actor.measure', output: measured },
      { type: 'xstate.done.actor.measure', output: refused },
      { type: 'xstate.error.actor.measure', error: new Error('broken') },
    ],
    name: ({ value, context }) => JSON.stringify([value, context['from'], context['to']]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
