import { type ActorRefFrom, assign, enqueueActions, sendParent, setup } from 'xstate'
import type { Plan } from '../../api/contract/plans.ts'
import type { PageInput } from '../app/app.events.ts'
import { pathTo } from '../app/routes.ts'
import type { FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { resourceMachineOf } from '../resource/resource.machine.ts'
import { previewsMachine } from '../streams/previews.machine.ts'

/** The command deletes a plan. */
export const planListMachine = resourceMachineOf<readonly Plan[], null, { id: string }>({
  pollMs: null,
  queryOf: () => null,
  isSubject: true,
})

export interface NewPlanValues {
  title: string
}

export const newPlanForm = formMachineOf<NewPlanValues, { id: string }>({
  validate: ({ title }) => (title.trim() === '' ? { title: 'required' } : {}),
})

export type PlansEvent =
  | { type: 'add.requested' }
  | { type: 'delete.requested'; plan: Plan }
  | { type: 'delete.confirmed' }
  | { type: 'dialog.closed' }
  | { type: 'page.missing' }
  | FormReport<NewPlanValues, { id: string }>

interface Context {
  list: ActorRefFrom<typeof planListMachine>
  /** The pictures of the plans in sight. */
  pictures: ActorRefFrom<typeof previewsMachine>
  /** The plan that the dialog deletes. */
  chosen: Plan | null
}

/** The floor plans: the list with pictures, a dialog that adds a plan to be edited, and one that deletes a plan. */
export const plansMachine = setup({
  types: {
    context: {} as Context,
    events: {} as PlansEvent,
    input: {} as PageInput,
    children: {} as { form: 'form' },
  },
  actors: { list: planListMachine, pictures: previewsMachine, form: newPlanForm },
  actions: {
    notifyMissing: sendParent({ type: 'page.missing' }),
    editPlan: sendParent((_args, { id }: { id: string }) => ({
      type: 'navigation.requested',
      href: pathTo('planEdit', { id }),
    })),
    remove: enqueueActions(({ context: { list, chosen }, enqueue }) => {
      if (chosen !== null) enqueue.sendTo(list, { type: 'command.requested', command: { id: chosen.id } })
    }),
  },
}).createMachine({
  id: 'plans',
  context: ({ input, spawn }) => ({
    list: spawn('list', { id: 'list', input }),
    pictures: spawn('pictures', { id: 'pictures' }),
    chosen: null,
  }),
  on: { 'page.missing': { actions: 'notifyMissing' } },
  initial: 'closed',
  states: {
    closed: {
      on: {
        'add.requested': 'adding',
        'delete.requested': { target: 'confirming', actions: assign({ chosen: ({ event }) => event.plan }) },
      },
    },
    adding: {
      invoke: { id: 'form', src: 'form', input: { facts: null, values: { title: '' } } },
      on: {
        'dialog.closed': 'closed',
        'form.saved': {
          target: 'closed',
          actions: { type: 'editPlan', params: ({ event }) => ({ id: event.answer.id }) },
        },
      },
    },
    confirming: { on: { 'delete.confirmed': { target: 'closed', actions: 'remove' }, 'dialog.closed': 'closed' } },
  },
})
