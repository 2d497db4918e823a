import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { Plan } from '../../api/contract/plans.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { maxTiles } from '../mosaics/mosaic-grid.ts'
import { maxChosen, type PlanEvent, planMachine, planResourceMachine } from './plan.machine.ts'

const cameras = ['gate', 'yard', 'dock'].map((streamId) => ({ streamId, x: 0.5, y: 0.5 }))
const plan = Plan.parse({ id: 'p1', title: 'Floor', cameras })
const input = pageInput({ params: { id: 'p1' } })

const open = (mosaic: Reply<{ id: string }> = ok({ id: 'm1' })) => {
  const fetched: unknown[] = []
  const opened: unknown[] = []
  const page = openPage(
    planMachine.provide({
      actors: {
        resource: planResourceMachine.provide({
          actors: {
            fetchResource: fromPromise(async ({ input: { query } }) => {
              fetched.push(query)
              return ok({ plan, picture: null })
            }),
          },
        }),
        openMosaic: fromPromise(async ({ input: asked }) => {
          opened.push(asked)
          return mosaic
        }),
      },
    }),
    input,
  )
  return { ...page, fetched, opened, send: (event: PlanEvent) => page.send(event) }
}

test('the plan is fetched every 10 s, and a camera shows its picture while it is pointed at', async () => {
  const { send, fetched, clock, context } = open()
  await settle()
  clock.increment(10_000)
  await settle()
  expect(fetched).toEqual([{ id: 'p1' }, { id: 'p1' }])
  const asked = () => context().previews.getSnapshot().context.subjects
  send({ type: 'camera.pointed', uid: 'gate' })
  expect([context().pointed, asked()]).toEqual(['gate', [{ uid: 'gate', isMoving: true }]])
  send({ type: 'camera.pointed', uid: null })
  expect([context().pointed, asked()]).toEqual([null, []])
})

test('the cameras that are chosen open as a mosaic; no more than it has tiles', async () => {
  const { send, value, context, opened, received } = open()
  await settle()
  send({ type: 'choice.toggled' })
  send({ type: 'mosaic.requested' })
  expect(value()).toBe('choosing')
  for (const uid of ['gate', 'dock', 'yard', 'dock']) send({ type: 'camera.toggled', uid })
  send({ type: 'mosaic.requested' })
  await settle()
  expect(opened).toEqual([{ name: 'Floor', uids: ['gate', 'yard'] }])
  expect(received).toEqual([{ type: 'navigation.requested', href: '/mosaic/m1' }])
  for (let index = 0; index < 50; index += 1) send({ type: 'camera.toggled', uid: `s${index}` })
  expect([context().chosen.size, maxChosen]).toEqual([maxTiles, maxTiles])
  send({ type: 'choice.cleared' })
  expect([value(), context().chosen.size]).toEqual(['watching', 0])
})

test('a chosen camera that has left the plan is left out of the mosaic', async () => {
  const { send, opened } = open()
  await settle()
  for (const uid of ['gate', 'removed']) send({ type: 'camera.toggled', uid })
  send({ type: 'mosaic.requested' })
  await settle()
  expect(opened).toEqual([{ name: 'Floor', uids: ['gate'] }])
})

test('a mosaic that is refused is reported, and the choice stays', async () => {
  const { send, value, context, toasts } = open(refused(403, 'QuotaReached'))
  send({ type: 'camera.toggled', uid: 'gate' })
  send({ type: 'mosaic.requested' })
  await settle()
  expect([value(), [...context().chosen]]).toEqual(['choosing', ['gate']])
  expect(toasts()?.map(({ code }: { code: string }) => code)).toEqual(['QuotaReached'])
})

test('every edge of the chart is walked', () => {
  const events = {
    'camera.pointed': [{ type: 'camera.pointed', uid: 'gate' }],
    'choice.toggled': [{ type: 'choice.toggled' }],
    'camera.toggled': [{ type: 'camera.toggled', uid: 'gate' }],
    'choice.cleared': [{ type: 'choice.cleared' }],
    'mosaic.requested': [{ type: 'mosaic.requested' }],
    'page.missing': [{ type: 'page.missing' }],
  } satisfies { [Type in PlanEvent['type']]: Extract<PlanEvent, { type: Type }>[] }
  const { declared, covered, strayed } = walkEdges(planMachine, {
    model: planMachine.provide({
      actions: {
        notifyMissing: () => undefined,
        point: () => undefined,
        goToMosaic: () => undefined,
        raiseApiError: () => undefined,
      },
    }),
    input,
    events: [
      ...Object.values(events).flat(),
      { type: 'xstate.done.actor.openMosaic', output: ok({ id: 'm1' }) },
      { type: 'xstate.done.actor.openMosaic', output: refused(403, 'QuotaReached') },
      { type: 'xstate.error.actor.openMosaic', error: new Error('not provided') },
    ],
    name: ({ value, context }) => `${JSON.stringify(value)} ${context.chosen.size}`,
  })
  expect(strayed).toEqual([])
  expect(covered).toEqual(declared)
})
