import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { timelineListsMachine, type TimelineListsInput, type ShownList } from './timeline-lists.machine.ts'

const first: TimelineListsInput = { isOpen: false, list: 'annotations', types: [] }

function start(input: TimelineListsInput = first) {
  const shown: ShownList[] = []
  const types: (readonly string[])[] = []
  const actor = createActor(
    timelineListsMachine.provide({
      actions: {
        storeShown: (_, params) => void shown.push(params),
        storeTypes: (_, params) => void types.push(params.types),
      },
    }),
    { input },
  ).start()
  return { actor, shown, types }
}

test('the lists open with the list that was shown last, and each change is stored', () => {
  const { actor, shown } = start()
  actor.send({ type: 'lists.toggled' })
  actor.send({ type: 'list.opened', list: 'recordings' })
  actor.send({ type: 'lists.closed' })
  actor.send({ type: 'lists.toggled' })
  expect(shown).toEqual([
    { isOpen: false, list: 'annotations' },
    { isOpen: true, list: 'annotations' },
    { isOpen: true, list: 'recordings' },
    { isOpen: false, list: 'recordings' },
    { isOpen: true, list: 'recordings' },
  ])
})

test('a player goes on with the list and the types of the one before', () => {
  const { actor } = start({ isOpen: true, list: 'recordings', types: ['line'] })
  expect([actor.getSnapshot().value, actor.getSnapshot().context]).toMatchObject([
    'open',
    { list: 'recordings', types: ['line'] },
  ])
})

test('a type is chosen and deselected by the same event, and the types are stored', () => {
  const { actor, types } = start()
  for (const annotationType of ['line', 'smoke', 'line']) actor.send({ type: 'annotationType.toggled', annotationType })
  expect(types).toEqual([['line'], ['line', 'smoke'], ['smoke']])
})

test('every edge is taken by a real actor', () => {
  const walks = [true, false].map((isOpen) =>
    walkEdges(timelineListsMachine, {
      model: timelineListsMachine,
      input: { ...first, isOpen },
      events: [
        { type: 'lists.toggled' },
        { type: 'lists.closed' },
        { type: 'list.opened', list: 'motion' },
        { type: 'annotationType.toggled', annotationType: 'line' },
      ],
      name: ({ value, context }) => JSON.stringify([value, context['list']]),
    }),
  )
  expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
  expect([...new Set(walks.flatMap(({ covered }) => covered))].toSorted()).toEqual(walks[0]?.declared)
})
