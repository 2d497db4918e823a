import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import { walkEdges } from '../../../../tests/machines/edges.ts'
import { inspectorMachine, payloadOf, type InspectorEvent } from './inspector.machine.ts'

const fixtures = {
  'inspector.toggled': [{ type: 'inspector.toggled' }],
  'inspector.closed': [{ type: 'inspector.closed' }],
  'dock.chosen': [
    { type: 'dock.chosen', dock: 'right' },
    { type: 'dock.chosen', dock: 'bottom' },
    { type: 'dock.chosen', dock: 'window' },
  ],
  'actor.chosen': [{ type: 'actor.chosen', actor: 'a1' }],
  'pause.toggled': [{ type: 'pause.toggled', seq: 7 }],
  'entry.chosen': [{ type: 'entry.chosen', seq: 3, actor: 'a2' }],
  'follow.requested': [{ type: 'follow.requested' }],
  'filter.typed': [{ type: 'filter.typed', words: 'media' }],
  'scope.toggled': [{ type: 'scope.toggled' }],
  'draft.begun': [{ type: 'draft.begun', event: 'play.requested', text: '' }],
  'draft.typed': [{ type: 'draft.typed', text: '{' }],
  'draft.sent': [{ type: 'draft.sent' }],
} satisfies Record<InspectorEvent['type'], readonly InspectorEvent[]>

test('every edge', () => {
  const { declared, covered, strayed } = walkEdges(inspectorMachine, {
    model: inspectorMachine,
    events: Object.values(fixtures).flat(),
    name: ({ value, context }) => JSON.stringify([value, context.draft.text]),
  })
  expect(strayed).toEqual([])
  expect(covered).toEqual(declared)
})

function start() {
  const sent: unknown[] = []
  const actor = createActor(
    inspectorMachine.provide({ actions: { sendDraft: (_, params) => sent.push(params) } }),
  ).start()
  return {
    sent,
    actor,
    send: (...events: InspectorEvent[]) => events.forEach((event) => actor.send(event)),
    value: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

test('it comes back where it was', () => {
  const { send, value } = start()
  send({ type: 'inspector.toggled' }, { type: 'dock.chosen', dock: 'bottom' }, { type: 'inspector.toggled' })
  expect(value()).toMatchObject({ dock: 'closed' })
  send({ type: 'inspector.toggled' })
  expect(value()).toMatchObject({ dock: { shown: 'bottom' } })
})

test('an entry is travelled to with its actor, and following forgets it', () => {
  const { send, value, context } = start()
  send({ type: 'entry.chosen', seq: 3, actor: 'a2' })
  expect([value(), context()]).toMatchObject([{ time: 'travelling' }, { seq: 3, actor: 'a2' }])
  send({ type: 'actor.chosen', actor: 'a1' })
  expect([value(), context()]).toMatchObject([{ time: 'travelling' }, { seq: 3, actor: 'a1' }])
  send({ type: 'follow.requested' })
  expect([value(), context()]).toMatchObject([{ time: 'following' }, { seq: null, actor: 'a1' }])
  send({ type: 'pause.toggled', seq: 9 })
  expect([value(), context()]).toMatchObject([{ time: 'paused' }, { seq: 9 }])
})

test('what cannot be read is not sent, until it is written anew', () => {
  const { send, value, sent } = start()
  send(
    { type: 'actor.chosen', actor: 'a1' },
    { type: 'draft.begun', event: 'speed.chosen', text: '{"rate": ' },
    { type: 'draft.sent' },
  )
  expect([value(), sent]).toMatchObject([{ draft: 'unreadable' }, []])
  send({ type: 'draft.typed', text: '{"rate": 2}' }, { type: 'draft.sent' })
  expect([value(), sent]).toMatchObject([
    { draft: 'writing' },
    [{ actor: 'a1', event: 'speed.chosen', text: '{"rate": 2}' }],
  ])
})

test.each([
  ['', {}],
  [' {"a":1} ', { a: 1 }],
  ['[1]', null],
  ['null', null],
  ['{', null],
])('%j is read as %j', (text, payload) => {
  expect(payloadOf(text)).toEqual(payload)
})
