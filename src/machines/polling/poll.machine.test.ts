import { createActor, setup, SimulatedClock } from 'xstate'
import { expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { type PollEvent, pollMachine } from './poll.machine.ts'

function start() {
  const clock = new SimulatedClock()
  const received: [number, string][] = []
  const parent = setup({ actors: { poll: pollMachine }, types: { children: {} as { poll: 'poll' } } }).createMachine({
    invoke: { id: 'poll', src: 'poll', input: { intervalMs: 1000, maxIntervalMs: 8000 } },
    on: { '*': { actions: ({ event }) => received.push([clock.now(), event.type]) } },
  })
  const actor = createActor(parent, { clock }).start()
  return {
    received,
    clock,
    send: (event: PollEvent) => actor.getSnapshot().children.poll?.send(event),
  }
}

const due = (...times: number[]) => times.map((time) => [time, 'poll.due'])

test('an answered poll is due every interval', () => {
  const { received, clock, send } = start()
  for (let second = 0; second < 3; second += 1) {
    send({ type: 'poll.answered' })
    clock.increment(1000)
  }
  expect(received).toEqual(due(1000, 2000, 3000))
})

test('without an answer the interval doubles up to its maximum, and an answer resets it', () => {
  const { received, clock, send } = start()
  for (const pause of [1000, 2000, 4000, 8000, 8000]) clock.increment(pause)
  clock.increment(500)
  for (let second = 0; second < 2; second += 1) {
    send({ type: 'poll.answered' })
    clock.increment(1000)
  }
  expect(received).toEqual(due(1000, 3000, 7000, 15_000, 23_000, 24_500, 25_500))
})

test('a request is due at once and starts the interval anew', () => {
  const { received, clock, send } = start()
  send({ type: 'poll.answered' })
  clock.increment(600)
  send({ type: 'poll.requested' })
  send({ type: 'poll.answered' })
  clock.increment(999)
  expect(received).toEqual(due(600))
  clock.increment(1)
  expect(received).toEqual(due(600, 1600))
})

test('a hidden page pauses, and a poll is due when it is shown', () => {
  const { received, clock, send } = start()
  send({ type: 'page.hidden' })
  clock.increment(60_000)
  send({ type: 'page.shown' })
  expect(received).toEqual([
    [0, 'poll.rested'],
    [60_000, 'poll.due'],
  ])
})

test('a pause that the server requires applies to requests too, and when the page is hidden and shown', () => {
  const { received, clock, send } = start()
  send({ type: 'poll.delayed', seconds: 30 })
  send({ type: 'page.hidden' })
  send({ type: 'poll.requested' })
  clock.increment(10_000)
  send({ type: 'page.shown' })
  clock.increment(19_999)
  expect(received).toEqual([])
  clock.increment(1)
  expect(received).toEqual(due(30_000))
})

test('if the page is hidden when such a pause ends, a poll is due when it is shown', () => {
  const { received, clock, send } = start()
  send({ type: 'poll.delayed', seconds: 30 })
  send({ type: 'page.hidden' })
  clock.increment(60_000)
  send({ type: 'page.shown' })
  expect(received).toEqual(due(60_000))
})

test('every edge of the chart is walked', () => {
  const own = {
    'poll.answered': [{ type: 'poll.answered' }],
    'poll.delayed': [{ type: 'poll.delayed', seconds: 3 }],
    'poll.requested': [{ type: 'poll.requested' }],
    'page.hidden': [{ type: 'page.hidden' }],
    'page.shown': [{ type: 'page.shown' }],
  } satisfies { [Type in PollEvent['type']]: Extract<PollEvent, { type: Type }>[] }
  const walked = walkEdges(pollMachine, {
    model: pollMachine.provide({ actions: { notifyDue: () => undefined, notifyRested: () => undefined } }),
    input: { intervalMs: 1000, maxIntervalMs: 8000 },
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.after.interval.poll.active' },
      { type: 'xstate.after.normalInterval.poll.active.answered' },
      { type: 'xstate.after.pause.poll.paused' },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
