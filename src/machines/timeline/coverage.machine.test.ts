import { expect, test } from 'vitest'
import { createActor, createMachine, fromPromise, SimulatedClock } from 'xstate'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Reply } from '../../api/reply.ts'
import { coverageMachine, type Coverage, type CoverageEvent, type CoverageReply } from './coverage.machine.ts'

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

test('what is known stays while the days are refused, and that is shown once', async () => {
  const recorded = { from: 0, to: 1 }
  const replies: CoverageReply[] = [
    { ...refused(503, 'Unavailable'), recorded },
    { ...refused(503, 'Unavailable'), recorded },
    { ok: true, value: { recorded, days: ['1970-01-01'] }, retryAfterSeconds: null },
    { ...refused(500, 'InternalServerError'), recorded: { from: 0, to: 2 } },
    refused(500, 'InternalServerError'),
  ]
  const [raised, reported]: unknown[][] = [[], []]
  const clock = new SimulatedClock()
  const provided = coverageMachine.provide({
    actors: { loadCoverage: fromPromise(async () => replies.shift() ?? refused(500, 'InternalServerError')) },
  })
  const notifications = createMachine({
    on: { 'notification.raised': { actions: ({ event }) => raised?.push(event['code']) } },
  })
  createActor(
    createMachine({
      invoke: [
        { systemId: 'notifications', src: notifications },
        { src: provided, input: { streamId: 'yard', zone: 'UTC' } },
      ],
      on: { 'coverage.changed': { actions: ({ event }) => reported?.push(event['coverage']) } },
    }),
    { clock },
  ).start()
  for (let turn = 0; turn < 5; turn += 1) {
    await settle()
    clock.increment(60_000)
  }
  expect([raised, reported]).toEqual([
    ['Unavailable', 'InternalServerError'],
    [
      { recorded, days: null },
      { recorded, days: null },
      { recorded, days: ['1970-01-01'] },
      { recorded: { from: 0, to: 2 }, days: ['1970-01-01'] },
      { recorded: { from: 0, to: 2 }, days: ['1970-01-01'] },
    ],
  ])
})
