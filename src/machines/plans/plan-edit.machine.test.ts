import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { Plan } from '../../api/contract/plans.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { type KnownPlan, type PictureReading, type PlanEditEvent, planEditMachine } from './plan-edit.machine.ts'
import { afterCameraStroke } from './plan-shapes.ts'
import { planForm, planValuesOf, streamsFound } from './plan-values.ts'

const gate = { streamId: 'gate', x: 0.2, y: 0.5 }
const known: KnownPlan = {
  plan: Plan.parse({ id: 'p1', title: 'Floor', width: 400, height: 200, picture: 'v1', cameras: [gate] }),
  picture: new Blob(['before']),
  streams: [
    { uid: 'dock', name: 'Dock' },
    { uid: 'gate', name: '' },
  ],
}
const input = pageInput({ params: { id: 'p1' } })
const file = new Blob(['after'], { type: 'image/png' })
const picture = { file, width: 800, height: 600 }
const from = { x: 0.2, y: 0.5 }

const open = (
  fetched: Reply<KnownPlan> = ok(known),
  {
    reading = () => ({ picture }),
    save = ok({}),
  }: { reading?: () => PictureReading | null; save?: Reply<object> } = {},
) => {
  const saved: object[] = []
  const page = openPage(
    planEditMachine.provide({
      actors: {
        fetchPlan: fromPromise(async () => fetched),
        readPicture: fromPromise(async () => {
          const read = reading()
          if (read === null) throw new Error('not an image')
          return read
        }),
        form: planForm.provide({
          actors: {
            submit: fromPromise(async ({ input: { values } }) => {
              saved.push(values)
              return save
            }),
          },
        }),
      },
    }),
    input,
  )
  const values = () => page.context().form.getSnapshot().context.values
  return { ...page, saved, values, send: (event: PlanEditEvent) => page.send(event) }
}

test('cameras are moved by a stroke and changed by keys; each change is undone, and all are saved together', async () => {
  const { send, values, context, saved, toasts, value } = open()
  await settle()
  send({ type: 'stroke.begun', stroke: { kind: 'move', uid: 'gate', from, to: from } })
  send({ type: 'stroke.continued', to: { x: 0.4, y: 0.5 } })
  expect(afterCameraStroke(values().cameras, context().stroke)).toEqual([{ ...gate, x: 0.4 }])
  send({ type: 'camera.changed', change: { kind: 'remove', uid: 'gate' } })
  send({ type: 'stroke.ended' })
  expect([values().cameras, context().chosen]).toEqual([[{ ...gate, x: 0.4 }], 'gate'])
  send({ type: 'camera.changed', change: { kind: 'add', uid: 'dock', at: { x: 0.5, y: 0.5 } } })
  send({ type: 'camera.changed', change: { kind: 'turn', uid: 'dock', degrees: 5 } })
  expect(context().chosen).toBe('dock')
  send({ type: 'camera.changed', change: { kind: 'remove', uid: 'gate' } })
  expect(context().chosen).toBe(null)
  send({ type: 'change.undone' })
  send({ type: 'stroke.begun', stroke: { kind: 'turn', uid: 'gate', aspect: 2, from, to: { x: 0.9, y: 0.5 } } })
  send({ type: 'stroke.cancelled' })
  send({ type: 'picture.chosen', file })
  await settle()
  const cameras = [
    { ...gate, x: 0.4 },
    { streamId: 'dock', x: 0.5, y: 0.5, direction: 5 },
  ]
  expect(values()).toEqual({ id: 'p1', title: 'Floor', cameras, picture })
  context().form.send({ type: 'form.submitted' })
  await settle()
  expect(saved).toEqual([{ id: 'p1', title: 'Floor', cameras, picture }])
  expect([values().picture, context().known.picture, context().past]).toEqual([null, file, []])
  expect(context().known.plan).toMatchObject({ width: 800, height: 600 })
  expect(toasts()).toEqual([{ tone: 'success', code: 'planSaved', values: { name: 'Floor' } }])
  expect(value()).toEqual({ open: { cameras: 'resting', picture: 'settled' } })
})

test('discarding is a change that can be undone, and ends the reading of a picture', async () => {
  const { send, values, context, value } = open()
  await settle()
  send({ type: 'camera.changed', change: { kind: 'turn', uid: 'gate', degrees: 5 } })
  send({ type: 'camera.changed', change: { kind: 'add', uid: 'dock', at: { x: 0.5, y: 0.5 } } })
  const { cameras } = values()
  send({ type: 'picture.chosen', file })
  send({ type: 'changes.discarded' })
  await settle()
  expect([values().cameras, values().picture, value()]).toEqual([
    [gate],
    null,
    { open: { cameras: 'resting', picture: 'settled' } },
  ])
  send({ type: 'change.undone' })
  expect([values().cameras, context().past.length]).toEqual([cameras, 2])
})

test('another picture of the same size replaces the first', async () => {
  const other = { file: new Blob(['other'], { type: 'image/png' }), width: 800, height: 600 }
  const pictures = [picture, other]
  const { send, values, context } = open(ok(known), { reading: () => ({ picture: pictures.shift() ?? picture }) })
  await settle()
  for (const { file: chosen } of [picture, other]) {
    send({ type: 'picture.chosen', file: chosen })
    await settle()
  }
  expect(values().picture).toBe(other)
  expect(context().past).toEqual([
    { cameras: [gate], picture: null },
    { cameras: [gate], picture },
  ])
})

test('a picture can be undone, and one that is refused leaves the one before and says why', async () => {
  const accepted = open()
  await settle()
  accepted.send({ type: 'picture.chosen', file })
  await settle()
  expect(accepted.values().picture).toEqual(picture)
  accepted.send({ type: 'change.undone' })
  expect(accepted.values().picture).toBe(null)

  for (const [reading, problem] of [
    [{ problem: 'tooManyPixels' }, 'tooManyPixels'],
    [null, 'unreadable'],
  ] as const) {
    const { send, context, values } = open(ok(known), { reading: () => reading })
    await settle()
    send({ type: 'picture.chosen', file })
    await settle()
    expect([context().pictureProblem, values().picture, context().past]).toEqual([problem, null, []])
  }
})

test('what was changed stays when saving is refused', async () => {
  const { send, values, context, toasts } = open(ok(known), { save: refused(500, 'InternalServerError') })
  await settle()
  send({ type: 'camera.changed', change: { kind: 'remove', uid: 'gate' } })
  context().form.send({ type: 'form.submitted' })
  await settle()
  expect([values().cameras, context().past.length]).toEqual([[], 1])
  expect(toasts()?.map(({ code }: { code: string }) => code)).toEqual(['InternalServerError'])
})

test('streams are found by name, or by uid if they have none', () => {
  const namesOf = (searched: string) => streamsFound(known, searched).map(({ uid }) => uid)
  expect([namesOf(''), namesOf(' DO'), namesOf('gat'), namesOf('x')]).toEqual([
    ['dock', 'gate'],
    ['dock'],
    ['gate'],
    [],
  ])
})

test('a plan that is missing leads to not-found; any other error is shown until a retry', async () => {
  const missing = open(refused(404, 'NotFound'))
  await settle()
  expect([missing.value(), missing.received]).toEqual(['failed', [{ type: 'page.missing' }]])
  const away = open(refused(503, 'Unavailable'))
  await settle()
  expect([away.value(), away.context().apiError?.code]).toEqual(['failed', 'Unavailable'])
  away.send({ type: 'plan.retried' })
  expect(away.value()).toBe('loading')
})

test('every edge of the chart is walked', () => {
  const events = {
    'plan.retried': [{ type: 'plan.retried' }],
    'search.changed': [{ type: 'search.changed', searched: 'a' }],
    'stroke.begun': [{ type: 'stroke.begun', stroke: { kind: 'move', uid: 'gate', from, to: from } }],
    'stroke.continued': [{ type: 'stroke.continued', to: from }],
    'stroke.ended': [{ type: 'stroke.ended' }],
    'stroke.cancelled': [{ type: 'stroke.cancelled' }],
    'camera.chosen': [{ type: 'camera.chosen', uid: 'gate' }],
    'camera.changed': [{ type: 'camera.changed', change: { kind: 'remove', uid: 'gate' } }],
    'picture.chosen': [{ type: 'picture.chosen', file }],
    'change.undone': [{ type: 'change.undone' }],
    'changes.discarded': [{ type: 'changes.discarded' }],
    'form.saved': [{ type: 'form.saved', answer: {}, values: planValuesOf(known.plan) }],
  } satisfies { [Type in PlanEditEvent['type']]: Extract<PlanEditEvent, { type: Type }>[] }
  const { declared, covered, strayed } = walkEdges(planEditMachine, {
    model: planEditMachine.provide({
      actions: {
        handleApiError: () => undefined,
        notifyMissing: () => undefined,
        assignPlan: () => undefined,
        change: () => undefined,
        undo: () => undefined,
        notifySaved: () => undefined,
      },
    }),
    input,
    events: [
      ...Object.values(events).flat(),
      { type: 'xstate.done.actor.fetchPlan', output: ok(known) },
      { type: 'xstate.done.actor.fetchPlan', output: refused(404, 'NotFound') },
      { type: 'xstate.done.actor.fetchPlan', output: refused(500, 'InternalServerError') },
      { type: 'xstate.error.actor.fetchPlan', error: new Error('not provided') },
      { type: 'xstate.done.actor.readPicture', output: { picture } },
      { type: 'xstate.error.actor.readPicture', error: new Error('not an image') },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(strayed).toEqual([])
  expect(covered).toEqual(declared)
})
