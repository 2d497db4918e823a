import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { MotionAnswer } from '../../api/contract/motion.ts'
import type { Reply } from '../../api/reply.ts'
import type { MotionQuery } from '../../api/resources/motion.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { motionMachine, type MotionEvent } from './motion.machine.ts'
import { selectFoundMotion, selectIsPartial, selectMotionPhase, selectProgress } from './motion.selectors.ts'

const hourMs = 3_600_000
const now = Date.UTC(2026, 10, 21, 12)
const visible = { from: now - 2 * hourMs, to: now + hourMs }
const area = { x: 0.1, y: 0.1, w: 0.2, h: 0.2 }
const iso = (hours: number) => new Date(now + hours * hourMs).toISOString()

type Found = [from: number, to: number, score: number]

/** An answer; all times are in hours from now. */
const answer = (until: number, found: readonly Found[] = [], source = 'picture'): MotionAnswer =>
  MotionAnswer.parse({
    items: found.map(([from, to, score]) => ({ startTime: iso(from), endTime: iso(to), score, source })),
    coverage: [{ startTime: iso(until - 1), endTime: iso(until), source }],
    searchedUntil: iso(until),
    indexedUntil: null,
  })

const open = (replies: Reply<MotionAnswer>[]) => {
  const asked: MotionQuery[] = []
  const page = openPage(
    motionMachine.provide({
      actors: {
        search: fromPromise(async ({ input }) => {
          asked.push(input)
          const reply = replies.shift()
          if (reply === undefined) throw new Error('broken')
          return reply
        }),
      },
    }),
    Object.assign(pageInput(), { uid: 'gate' }),
  )
  const send = (...events: MotionEvent[]) => {
    for (const event of events) page.ref.send(event)
  }
  const hours = () => asked.map(({ from, to }) => [(from - now) / hourMs, (to - now) / hourMs])
  const found = () =>
    selectFoundMotion(page.ref.getSnapshot()).map(({ startTime, endTime, score }) => [
      (startTime - now) / hourMs,
      (endTime - now) / hourMs,
      score,
    ])
  const phase = () => selectMotionPhase(page.ref.getSnapshot())
  const progress = () => selectProgress(page.ref.getSnapshot())
  return { ...page, asked, send, hours, found, phase, progress }
}

const search = { type: 'search.requested', now, visible } as const

test('a day is searched in slices; motion across their border is one range', async () => {
  const slices = [-21, -18, -15, -12, -9, -6, -3, 0].map((until) => ok(answer(until)))
  slices[0] = ok(answer(-21, [[-21.5, -21, 0.4]]))
  slices[1] = ok(
    answer(-18, [
      [-21, -20.5, 0.7],
      [-19, -18.5, 0.2],
    ]),
  )
  const { send, hours, found, phase, progress, asked } = open(slices)
  expect([phase(), progress()]).toEqual(['drawing', 0])
  send({ type: 'area.changed', area }, { type: 'sensitivity.chosen', sensitivity: 80 }, search)
  expect(phase()).toBe('searching')
  await settle()
  expect(asked[0]).toMatchObject({ uid: 'gate', area, sensitivity: 80 })
  expect([hours()[0], hours()[7], phase(), progress()]).toEqual([[-24, -21], [-3, 0], 'shown', 1])
  expect(found()).toEqual([
    [-21.5, -20.5, 0.7],
    [-19, -18.5, 0.2],
  ])
})

test('the last hour and the shown period end now; an answer that gets no further ends the search', async () => {
  const { send, hours, phase, context } = open([ok(answer(0)), ok(answer(-2, [], 'size'))])
  send({ type: 'period.chosen', searchPeriod: 'hour' }, search)
  await settle()
  expect(context().isBySize).toBe(false)
  send({ type: 'period.chosen', searchPeriod: 'visible' }, search)
  await settle()
  expect([hours(), phase(), context().isBySize]).toEqual([
    [
      [-1, 0],
      [-2, 0],
    ],
    'shown',
    true,
  ])
})

test('a search goes on where an answer ends, up to a thousand ranges', async () => {
  const many: Found[] = Array.from({ length: 1000 }, (_, index) => [-1 + index / 2000, -1 + (index + 0.5) / 2000, 1])
  const { send, hours, phase, ref } = open([ok(answer(-0.5, many)), ok(answer(0))])
  send({ type: 'period.chosen', searchPeriod: 'hour' }, search)
  await settle()
  expect([hours(), phase(), selectIsPartial(ref.getSnapshot())]).toEqual([[[-1, 0]], 'shown', true])
})

test('a cancelled search keeps what it has found; a change forgets it', async () => {
  const { send, found, phase, ref } = open([ok(answer(-21, [[-22, -21.5, 0.4]]))])
  send(search)
  await settle()
  expect(phase()).toBe('failed')
  send({ type: 'search.retried' }, { type: 'search.cancelled' })
  expect([found(), phase(), selectIsPartial(ref.getSnapshot())]).toEqual([[[-22, -21.5, 0.4]], 'shown', true])
  send({ type: 'area.changed', area })
  expect([found(), phase()]).toEqual([[], 'drawing'])
})

test('a refused search says why and goes on from there', async () => {
  const { send, context, hours, phase } = open([refused(503, 'Unavailable'), ok(answer(0))])
  send({ type: 'period.chosen', searchPeriod: 'hour' }, search)
  await settle()
  expect([phase(), context().apiError?.code]).toEqual(['failed', 'Unavailable'])
  send({ type: 'search.retried' })
  await settle()
  expect([phase(), context().apiError, hours()]).toEqual([
    'shown',
    null,
    [
      [-1, 0],
      [-1, 0],
    ],
  ])
})

test('every edge of the chart is walked', () => {
  const own = {
    'area.changed': [{ type: 'area.changed', area }],
    'period.chosen': [{ type: 'period.chosen', searchPeriod: 'hour' }],
    'sensitivity.chosen': [{ type: 'sensitivity.chosen', sensitivity: 80 }],
    'search.requested': [search],
    'search.cancelled': [{ type: 'search.cancelled' }],
    'search.retried': [{ type: 'search.retried' }],
  } satisfies { [Type in MotionEvent['type']]: Extract<MotionEvent, { type: Type }>[] }
  const walked = walkEdges(motionMachine, {
    model: motionMachine,
    input: { uid: 'gate' },
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.done.actor.search', output: ok(answer(-0.5)) },
      { type: 'xstate.done.actor.search', output: ok(answer(0)) },
      { type: 'xstate.done.actor.search', output: refused(503, 'Unavailable') },
      { type: 'xstate.error.actor.search', error: new Error('broken') },
    ],
    name: ({ value, context }) => JSON.stringify([value, context['searchPeriod'], context['searchedUntil']]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
