import { expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { thumbnailsMachine, type StillsRequest } from './thumbnails.machine.ts'

function start(isStoredOn = true) {
  const clock = new SimulatedClock()
  const requests: { moments: readonly number[]; signal: AbortSignal }[] = []
  const stored: boolean[] = []
  const actor = createActor(
    thumbnailsMachine.provide({
      guards: { isStoredOn: () => isStoredOn },
      actions: { storeSetting: (_, { isOn }) => void stored.push(isOn) },
      actors: {
        fetchStills: fromPromise<undefined, StillsRequest>(({ input: { moments }, signal }) => {
          requests.push({ moments, signal })
          return new Promise(() => undefined)
        }),
      },
    }),
    { clock, input: { streamId: 'gate' } },
  ).start()
  const view = (...moments: number[]) => actor.send({ type: 'thumbnails.viewed', moments })
  return { actor, clock, requests, stored, view, moments: () => requests.map((request) => request.moments) }
}

test('stills are fetched once the timeline rests, and cancelled when it moves on', async () => {
  const { clock, view, requests, moments } = start()
  view(1000)
  clock.increment(200)
  view(1000, 2000)
  clock.increment(249)
  expect(moments()).toEqual([])
  clock.increment(1)
  expect(moments()).toEqual([[1000, 2000]])
  view(3000)
  expect(requests[0]?.signal.aborted).toBe(true)
  clock.increment(250)
  await settle()
  expect(moments()).toEqual([[1000, 2000], [3000]])
})

test('they are off until they are turned on, and the choice is stored', () => {
  const { actor, clock, view, moments, stored } = start(false)
  view(1000)
  clock.increment(1000)
  expect(moments()).toEqual([])
  actor.send({ type: 'thumbnails.toggled' })
  view(1000)
  clock.increment(250)
  expect(moments()).toEqual([[1000]])
  actor.send({ type: 'thumbnails.toggled' })
  expect([stored, actor.getSnapshot().value]).toEqual([[true, false], 'off'])
})

test('every edge is taken by a real actor', () => {
  const walks = [true, false].map((isStoredOn) => {
    const machine = thumbnailsMachine.provide({ guards: { isStoredOn: () => isStoredOn } })
    return walkEdges(machine, {
      model: machine,
      input: { streamId: 'gate' },
      events: [
        { type: 'thumbnails.toggled' },
        { type: 'thumbnails.viewed', moments: [1000] },
        { type: 'xstate.after.rest.thumbnails.on.moving' },
        { type: 'xstate.done.actor.fetchStills', output: undefined },
        { type: 'xstate.error.actor.fetchStills', error: new Error('no network') },
      ],
      name: ({ value }) => JSON.stringify(value),
    })
  })
  expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
  expect([...new Set(walks.flatMap(({ covered }) => covered))].toSorted()).toEqual(walks[0]?.declared)
})
