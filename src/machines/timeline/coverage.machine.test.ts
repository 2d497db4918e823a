import { expect, test } from 'vitest'
import { createActor, createMachine, fromPromise, SimulatedClock } from 'xstate'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Reply } from '../../api/reply.ts'
import { coverageMachine, type Coverage, type CoverageEvent } from './coverage.machine.ts'

const answer = (reply: Reply<Coverage>) => ({
  type: 'xstate.done.actor.loadCoverage',
  output: reply,
  actorId: 'loadCoverage',
})
const refused = (status: number, code: string): Reply<Coverage> => ({
  ok: false,
  apiError: { status, code, message: '', details: {}, retryAfterSeconds: null },
})

const fixtures: readonly CoverageEvent[] = [
  { type: 'coverage.zoneChosen', zone: 'Europe/Berlin' },
  { type: 'page.hidden' },
  { type: 'page.shown' },
]

test('every edge is walked', () => {
  const walked = walkEdges(coverageMachine, {
    model: coverageMachine.provide({ actions: { report: () => undefined } }),
    input: { streamId: 'yard', zone: 'UTC' },
    events: [
      ...fixtures,
      { type: 'coverage.permitted' },
      answer({ ok: true, value: { recorded: { from: 0, to: 1 }, days: ['1970-01-01'] }, retryAfterSeconds: null }),
      answer(refused(403, 'Forbidden')),
      answer(refused(503, 'Unavailable')),
      { type: 'xstate.error.actor.loadCoverage', error: new Error('broken'), actorId: 'loadCoverage' },
      { type: 'xstate.after.refreshInterval.coverage.settled' },
      { type: 'xstate.after.retryPause.coverage.waiting' },
    ],
    name: ({ value, context }) => JSON.stringify([value, context['zone'], context['coverage'] !== null]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})

test('without the right nothing is requested any more: later, when shown again, or in another zone', async () => {
  let asked = 0
  const provided = coverageMachine.provide({
    actors: {
      loadCoverage: fromPromise(async () => {
        asked += 1
        return refused(403, 'Forbidden')
      }),
    },
  })
  const clock = new SimulatedClock()
  const machine = createMachine({ invoke: { id: 'coverage', src: provided, input: { streamId: 'yard', zone: 'UTC' } } })
  const child = createActor(machine, { clock }).start().getSnapshot().children['coverage']
  await settle()
  for (const event of [...fixtures].toReversed()) child?.send(event)
  for (const event of fixtures) child?.send(event)
  clock.increment(3_600_000)
  await settle()
  const { value, context } = child?.getSnapshot() ?? {}
  expect([asked, value, context.zone]).toEqual([1, 'forbidden', 'Europe/Berlin'])
  child?.send({ type: 'coverage.permitted' })
  await settle()
  expect(asked).toBe(2)
})
