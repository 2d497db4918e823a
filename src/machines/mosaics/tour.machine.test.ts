import { describe, expect, test } from 'vitest'
import { createActor, createMachine, sendTo, SimulatedClock } from 'xstate'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { tourMachine, type TourEvent, type TourInput } from './tour.machine.ts'

function start(input: TourInput) {
  const clock = new SimulatedClock()
  const received: string[] = []
  const note = ({ event }: { event: { type: string; key?: string | null } }) =>
    void received.push(`${event.type} ${event.key ?? 'all'}`)
  const parent = createMachine({
    invoke: { id: 'tour', src: tourMachine, input },
    on: {
      'tile.*': { actions: note },
      'tour.*': { actions: sendTo('tour', ({ event }) => event) },
    },
  })
  const actor = createActor(parent, { clock }).start()
  return {
    send: (event: TourEvent) => actor.send(event),
    after(milliseconds: number) {
      for (let passed = 0; passed < Math.max(1, milliseconds); passed += 1) clock.increment(Math.min(1, milliseconds))
      return received.splice(0)
    },
  }
}

describe('the tour of a mosaic', () => {
  test('enlarges each tile in turn and then shows all, and loads each four seconds before its turn', () => {
    const { after } = start({ keys: ['a', 'b'], seconds: 20 })
    const turns = [1, 2, 3, 4].map(() => [after(15_999), after(1), after(3999), after(1)])
    expect(turns).toEqual([
      [[], ['tile.seen a'], [], ['tile.enlarged a']],
      [[], ['tile.seen b'], [], ['tile.enlarged b']],
      [[], ['tile.seen a', 'tile.seen b'], [], ['tile.enlarged all']],
      [[], ['tile.seen a'], [], ['tile.enlarged a']],
    ])
  })

  test('with less than four seconds for each tile it loads the next one at once', () => {
    const { after } = start({ keys: ['a'], seconds: 2 })
    expect([after(0), after(1999), after(1)]).toEqual([['tile.seen a'], [], ['tile.enlarged a']])
  })

  test('is off without a pace or without tiles, and begins once there are both', () => {
    const { send, after } = start({ keys: [], seconds: 0 })
    send({ type: 'tour.paceChanged', seconds: 5 })
    const idle = after(60_000)
    send({ type: 'tour.keysChanged', keys: ['a'] })
    expect([idle, after(5000)]).toEqual([[], ['tile.seen a', 'tile.enlarged a']])
    send({ type: 'tour.paceChanged', seconds: 0 })
    expect(after(60_000)).toEqual([])
  })

  test('continues with other tiles if their number is the same, and starts over with another number or pace', () => {
    const { send, after } = start({ keys: ['a', 'b'], seconds: 5 })
    after(5000)
    send({ type: 'tour.keysChanged', keys: ['c', 'd'] })
    expect(after(5000)).toEqual(['tile.seen d', 'tile.enlarged d'])
    send({ type: 'tour.keysChanged', keys: ['c', 'd', 'e'] })
    expect(after(5000)).toEqual(['tile.seen c', 'tile.enlarged c'])
    send({ type: 'tour.paceChanged', seconds: 10 })
    expect([after(9999), after(1)]).toEqual([['tile.seen c'], ['tile.enlarged c']])
  })
})

test('every edge is taken by a real actor', () => {
  const own = {
    'tour.keysChanged': [
      { type: 'tour.keysChanged', keys: [] },
      { type: 'tour.keysChanged', keys: ['a'] },
      { type: 'tour.keysChanged', keys: ['b'] },
    ],
    'tour.paceChanged': [
      { type: 'tour.paceChanged', seconds: 0 },
      { type: 'tour.paceChanged', seconds: 10 },
    ],
  } satisfies { [Type in TourEvent['type']]: Extract<TourEvent, { type: Type }>[] }
  const walked = walkEdges(tourMachine, {
    model: tourMachine.provide({ actions: { prepare: () => undefined, turn: () => undefined } }),
    input: { keys: ['a'], seconds: 10 },
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.after.preparePause.tour.showing' },
      { type: 'xstate.after.turnPause.tour.preparing' },
    ],
    name: ({ value, context }) => JSON.stringify([value, context.keys, context.seconds]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
