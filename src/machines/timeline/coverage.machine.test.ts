import { expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import type { Reply } from '../../api/reply.ts'
import { coverageMachine, type Coverage, type CoverageEvent } from './coverage.machine.ts'

const answer = (reply: Reply<Coverage>) => ({ type: 'xstate.done.actor.loadCoverage', output: reply, actorId: 'loadCoverage' })
const refused = (status: number, code: string): Reply<Coverage> => ({
  ok: false,
  refusal: { status, code, message: '', details: {}, retryAfterSeconds: null },
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
