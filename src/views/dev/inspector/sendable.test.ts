import { expect, test } from 'vitest'
import { assign, createActor, setup } from 'xstate'
import { Recorder } from '../record/recorder.ts'
import { fieldsRead, sendables } from './sendable.ts'

const machine = setup({
  types: {
    context: {} as { rate: number },
    events: {} as
      | { type: 'speed.chosen'; rate: number }
      | { type: 'view.moved'; from: number; to: number }
      | { type: 'user.named'; user: { name: string } }
      | { type: 'rested' },
  },
  actions: { move: (_, _params: { from: number; to: number }) => undefined },
}).createMachine({
  id: 'm',
  context: { rate: 1 },
  initial: 'on',
  states: {
    on: {
      on: {
        'speed.chosen': { actions: assign({ rate: ({ event }) => event.rate }) },
        'view.moved': {
          guard: ({ event }) => event.to > event.from,
          actions: { type: 'move', params: ({ event: { from, to } }) => ({ from, to }) },
        },
        'user.named': { guard: ({ event }) => event.user.name !== '' },
        rested: 'off',
      },
    },
    off: {},
  },
})

test('of each event the fields that the chart reads', () => {
  expect(fieldsRead(machine, 'speed.chosen')).toEqual({ rate: null })
  expect(fieldsRead(machine, 'view.moved')).toEqual({ to: null, from: null })
  expect(fieldsRead(machine, 'user.named')).toEqual({ user: null })
  expect(fieldsRead(machine, 'rested')).toEqual({})
})

test('what can be sent now, with the payload it was last seen with', () => {
  const recorder = new Recorder({ now: () => 0, entries: 10, recordedEvents: 10 })
  const actor = createActor(machine, { inspect: recorder.observe }).start()
  actor.send({ type: 'view.moved', from: 1, to: 2 })
  const [record] = recorder.records()
  const list = () =>
    record === undefined ? [] : sendables(record, machine, actor.getSnapshot(), recorder.tape.items())
  const examples = [
    { type: 'rested', example: {} },
    { type: 'speed.chosen', example: { rate: null } },
    { type: 'user.named', example: { user: null } },
    { type: 'view.moved', example: { from: 1, to: 2 } },
  ]
  expect(list()).toEqual(examples.map((one) => ({ ...one, can: one.type !== 'user.named' })))
  actor.send({ type: 'rested' })
  expect(list()).toEqual(examples.map((one) => ({ ...one, can: false })))
})
