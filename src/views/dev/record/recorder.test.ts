import { expect, test } from 'vitest'
import { createActor, fromCallback, setup } from 'xstate'
import { Recorder } from './recorder.ts'

const child = setup({}).createMachine({
  id: 'child',
  initial: 'a',
  states: { a: { on: { went: 'b' } }, b: { always: 'c' }, c: {} },
})
const parent = setup({ actors: { child, ear: fromCallback(() => undefined) } }).createMachine({
  id: 'parent',
  invoke: { id: 'ear', src: 'ear' },
  initial: 'with',
  states: { with: { invoke: { id: 'child', src: 'child' }, on: { left: 'without' } }, without: {} },
})

function start() {
  let now = 0
  const recorder = new Recorder({ now: () => (now += 1), entries: 50, recordedEvents: 50 })
  const actor = createActor(parent, { id: 'parent' })
  actor.system.inspect(recorder.observe)
  recorder.adopt(actor)
  actor.start()
  const record = (id: string) => recorder.records().find(({ ref }) => ref.id === id)
  return {
    recorder,
    actor,
    record,
    recorded: () =>
      recorder.log.items().map(({ actor, event, value, edges }) => [actor.ref.id, event.type, value, edges]),
  }
}

test('the actors with who made them, those that were there before the recording too', () => {
  const { record, actor } = start()
  expect(['parent', 'ear', 'child'].map((id) => [record(id)?.parent?.ref.id, record(id)?.machine?.id])).toEqual([
    [undefined, 'parent'],
    ['parent', undefined],
    ['parent', 'child'],
  ])
  expect(record('child')?.hasEnded).toBe(false)
  actor.send({ type: 'left' })
  expect(record('child')?.hasEnded).toBe(true)
})

test('each event with the edges that it walked, inner steps too, and the state by reference', () => {
  const { actor, recorder, recorded } = start()
  actor.getSnapshot().children['child']?.send({ type: 'went' })
  actor.send({ type: 'left' })
  expect(recorded().slice(-2)).toEqual([
    ['child', 'went', 'c', ['child.a went', 'child.b always']],
    ['parent', 'left', 'without', ['parent.with left']],
  ])
  expect(
    recorder.tape
      .items()
      .slice(-2)
      .map(({ value }) => value),
  ).toEqual(['c', 'without'])
  expect(recorder.log.items().at(-1)?.snapshot).toBe(actor.getSnapshot())
})

test('listeners hear of every event until they leave', () => {
  const { actor, recorder } = start()
  let calls = 0
  const leave = recorder.subscribe(() => {
    calls += 1
  })
  actor.send({ type: 'left' })
  const before = calls
  leave()
  actor.send({ type: 'left' })
  expect([before > 0, calls]).toEqual([true, before])
})
