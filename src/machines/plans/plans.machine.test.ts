import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { Plan } from '../../api/contract/plans.ts'
import { ok } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { newPlanForm, planListMachine, type PlansEvent, plansMachine } from './plans.machine.ts'

const floor = Plan.parse({ id: 'p1', title: 'Floor' })

test('a plan that is added opens to be edited, and one is deleted once that is confirmed', async () => {
  const done: unknown[] = []
  const page = openPage(
    plansMachine.provide({
      actors: {
        list: planListMachine.provide({
          actors: {
            fetchResource: fromPromise(async () => ok<readonly Plan[]>([floor])),
            perform: fromPromise(async ({ input: { command } }) => {
              done.push(command)
              return ok({})
            }),
          },
        }),
        form: newPlanForm.provide({ actors: { submit: fromPromise(async () => ok({ id: 'p2' })) } }),
      },
    }),
    pageInput(),
  )
  await settle()
  page.send({ type: 'add.requested' })
  const form = page.ref.getSnapshot().children.form
  form?.send({ type: 'form.submitted' })
  expect(form?.getSnapshot().context.errors).toEqual({ title: 'required' })
  form?.send({ type: 'form.edited', values: { title: 'Roof' } })
  form?.send({ type: 'form.submitted' })
  await settle()
  expect([page.value(), page.received]).toEqual(['closed', [{ type: 'navigation.requested', href: '/plan/p2/edit' }]])
  page.send({ type: 'delete.requested', plan: floor })
  page.send({ type: 'dialog.closed' })
  expect(done).toEqual([])
  page.send({ type: 'delete.requested', plan: floor })
  page.send({ type: 'delete.confirmed' })
  await settle()
  expect(done).toEqual([{ id: 'p1' }])
})

test('every edge of the chart is walked', () => {
  const events = {
    'add.requested': [{ type: 'add.requested' }],
    'delete.requested': [{ type: 'delete.requested', plan: floor }],
    'delete.confirmed': [{ type: 'delete.confirmed' }],
    'dialog.closed': [{ type: 'dialog.closed' }],
    'page.missing': [{ type: 'page.missing' }],
    'form.saved': [{ type: 'form.saved', answer: { id: 'p2' }, values: { title: 'Roof' } }],
  } satisfies { [Type in PlansEvent['type']]: Extract<PlansEvent, { type: Type }>[] }
  const { declared, covered, strayed } = walkEdges(plansMachine, {
    model: plansMachine.provide({
      actions: { notifyMissing: () => undefined, editPlan: () => undefined, remove: () => undefined },
    }),
    input: pageInput(),
    events: Object.values(events).flat(),
    name: ({ value }) => JSON.stringify(value),
  })
  expect(strayed).toEqual([])
  expect(covered).toEqual(declared)
})
