import { expect, test } from 'vitest'
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { startPlayer, stream } from '../../../tests/machines/player.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { selectPictureUrl, waitingPictureMachine } from './waiting-picture.machine.ts'

function start() {
  const clock = new SimulatedClock()
  const requests: (number | null)[] = []
  const state = { released: 0 }
  const actor = createActor(
    waitingPictureMachine.provide({
      actors: {
        fetchPicture: fromPromise(async ({ input: { uid, at } }) => {
          requests.push(at)
          return `blob:${uid} ${at}`
        }),
        holdPictures: fromCallback(() => () => {
          state.released += 1
        }),
      },
    }),
    { clock, input: { uid: 'gate' } },
  ).start()
  const wait = async (at: number | null) => {
    actor.send({ type: 'picture.awaited', at })
    clock.increment(120)
    await settle()
    return selectPictureUrl(actor.getSnapshot())
  }
  return { actor, clock, requests, wait, released: () => state.released }
}

test('a picture is fetched only if the video takes longer than 120 ms', async () => {
  const { actor, clock, requests } = start()
  actor.send({ type: 'picture.awaited', at: null })
  clock.increment(119)
  actor.send({ type: 'picture.cancelled' })
  clock.increment(1000)
  await settle()
  expect(requests).toEqual([])
})

test('the same moment keeps its picture; another one, and the end of the wait, release it', async () => {
  const { actor, requests, wait, released } = start()
  expect([await wait(null), await wait(null), released()]).toEqual(['blob:gate null', 'blob:gate null', 0])
  expect([await wait(1000), requests, released()]).toEqual(['blob:gate 1000', [null, 1000], 1])
  actor.send({ type: 'picture.cancelled' })
  expect([selectPictureUrl(actor.getSnapshot()), released()]).toEqual([null, 2])
})

test('a player that is left releases its picture', async () => {
  const { actor, wait, released } = start()
  await wait(null)
  actor.stop()
  expect(released()).toBe(1)
})

test('a picture stands in while the stream is unknown and while its video loads', () => {
  const stateOf = ({ snapshot }: ReturnType<typeof startPlayer>) =>
    snapshot().children.waitingPicture?.getSnapshot().value
  const paused = { ...stream, status: 'paused' }
  const player = startPlayer({ stream: null })
  const states = [stateOf(player)]
  player.send({ type: 'stream.reported', stream })
  states.push(stateOf(player))
  player.report({ type: 'engine.loaded', from: 0, to: 1000 })
  states.push(stateOf(player))
  player.report({ type: 'engine.failed', failure: 'network', at: null })
  states.push(stateOf(player))
  player.send({ type: 'stream.reported', stream: paused })
  states.push(stateOf(player))
  const waiting = { waiting: 'pausing' }
  expect(states).toEqual([waiting, waiting, 'idle', waiting, 'idle'])
  expect(stateOf(startPlayer({ stream: paused }))).toBe('idle')
})

test('every edge is taken by a real actor', () => {
  const walked = walkEdges(waitingPictureMachine, {
    model: waitingPictureMachine,
    input: { uid: 'gate' },
    events: [
      { type: 'picture.awaited', at: null },
      { type: 'picture.awaited', at: 1000 },
      { type: 'picture.cancelled' },
      { type: 'xstate.after.pause.waitingPicture.waiting.pausing' },
      { type: 'xstate.done.actor.fetchPicture', output: 'blob:1' },
      { type: 'xstate.error.actor.fetchPicture', error: new Error('no network') },
    ],
    name: ({ value, context }) => JSON.stringify([value, context['at']]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
