import { expect, test } from 'vitest'
import { and, assign, fromPromise, not, sendTo, setup } from 'xstate'
import { chartOf } from './chart-model.ts'
import { drawingOf } from './layout.ts'

const machine = setup({
  types: {
    context: {} as { count: number },
    events: {} as { type: 'door.opened'; by: string } | { type: 'door.counted' } | { type: 'key.turned' },
  },
  actors: { ask: fromPromise(() => Promise.resolve()) },
  actions: { greet: () => undefined, ring: () => undefined },
  guards: { isKnown: () => true, isNight: () => false },
  delays: { patience: 500 },
}).createMachine({
  id: 'door',
  context: { count: 0 },
  initial: 'shut',
  on: { 'key.turned': '.shut' },
  states: {
    shut: {
      tags: 'busy',
      entry: 'ring',
      after: { patience: 'open', 1500: { actions: 'greet' } },
      on: {
        'door.opened': [
          { guard: and(['isKnown', not('isNight')]), target: 'open', actions: 'greet' },
          { guard: ({ event }) => event.by === 'owner', target: 'open.sound' },
        ],
        'door.counted': { actions: assign({ count: ({ context }) => context.count + 1 }) },
      },
      invoke: { id: 'asking', src: 'ask', onDone: 'open', onError: { actions: sendTo('asking', { type: 'again' }) } },
    },
    open: {
      type: 'parallel',
      states: {
        light: {},
        sound: {
          initial: 'off',
          states: { off: { always: { guard: 'isNight', target: 'on' } }, on: { type: 'final' } },
        },
      },
    },
  },
})

const still = { tags: [], invokes: [], entry: [], exit: [], isRegion: false, initial: null }

test('the states, parents first, with what runs in them and without what only keeps their clock', () => {
  expect(chartOf(machine).states).toEqual([
    { ...still, id: 'door', key: 'door', parent: null, kind: 'compound', initial: 'door.shut' },
    {
      ...still,
      id: 'door.shut',
      key: 'shut',
      parent: 'door',
      kind: 'atomic',
      tags: ['busy'],
      invokes: ['asking: ask'],
      entry: ['ring'],
    },
    { ...still, id: 'door.open', key: 'open', parent: 'door', kind: 'parallel' },
    { ...still, id: 'door.open.light', key: 'light', parent: 'door.open', kind: 'atomic', isRegion: true },
    {
      ...still,
      id: 'door.open.sound',
      key: 'sound',
      parent: 'door.open',
      kind: 'compound',
      isRegion: true,
      initial: 'door.open.sound.off',
    },
    { ...still, id: 'door.open.sound.off', key: 'off', parent: 'door.open.sound', kind: 'atomic' },
    { ...still, id: 'door.open.sound.on', key: 'on', parent: 'door.open.sound', kind: 'final' },
  ])
})

test('the transitions, each with its event, its condition and what it does', () => {
  const edges = chartOf(machine).edges.map(({ event, sent, guard, targets, actions }) => [
    event,
    sent,
    guard,
    targets,
    actions,
  ])
  expect(edges).toEqual([
    ['key.turned', 'key.turned', null, ['door.shut'], []],
    ['door.opened', 'door.opened', 'isKnown and not isNight', ['door.open'], ['greet']],
    ['door.opened', 'door.opened', expect.stringContaining('event.by === '), ['door.open.sound'], []],
    ['door.counted', 'door.counted', null, [], ['assign']],
    ['done asking', null, null, ['door.open'], []],
    ['error asking', null, null, [], ['sendTo']],
    ['after 1.5 s', null, null, [], ['greet']],
    ['after patience', null, null, ['door.open'], []],
    ['always', null, 'isNight', ['door.open.sound.on'], []],
  ])
})

test('the drawing asks for a box for each state and a line for each transition between states apart, the first ones too', async () => {
  const asked: string[] = []
  const drawing = await drawingOf(chartOf(machine), (graph) => {
    asked.push(...(graph.edges ?? []).map(({ id }) => id))
    return Promise.resolve({ ...graph, width: 100.2, height: 50 })
  })
  expect(asked).toEqual([
    'door.shut door.opened, → open door.open',
    'door.shut door.opened, → sound door.open.sound',
    'door.shut done asking door.open',
    'door.shut after patience door.open',
    'door.open.sound.off always, when isNight door.open.sound.on',
    'first door edge',
    'first door.open.sound edge',
  ])
  expect([drawing.width, drawing.height]).toEqual([101, 50])
  expect(drawing.states.map(({ rows }) => rows.map(({ text }) => text))).toEqual([
    ['key.turned → shut'],
    ['invoke asking: ask', 'entry / ring', 'door.counted / assign', 'error asking / sendTo', 'after 1.5 s / greet'],
    [],
    [],
    [],
    [],
    [],
  ])
})
