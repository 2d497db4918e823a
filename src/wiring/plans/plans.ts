import { fromPromise } from 'xstate'
import { mapReply } from '../../api/map-reply.ts'
import { addPlan, getPlanPicture, getPlans, removePlan } from '../../api/resources/plans.ts'
import { newPlanForm, planListMachine, plansMachine } from '../../machines/plans/plans.machine.ts'
import { PlansPage } from '../../views/plans/PlansPage.tsx'
import { definePage } from '../page.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { createPreviews } from '../shared/previews.ts'
import { visibility } from '../shared/visibility.ts'

export const page = definePage({
  logic: plansMachine.provide({
    actors: {
      list: planListMachine.provide({
        actors: {
          fetchResource: fromPromise(async ({ signal }) => mapReply(await getPlans(signal), ({ items }) => items)),
          perform: fromPromise(({ input: { command }, signal }) => removePlan(command.id, signal)),
          visibility,
        },
      }),
      pictures: createPreviews(getPlanPicture),
      form: newPlanForm.provide({
        actors: {
          submit: fromPromise(({ input: { values }, signal }) => addPlan({ title: values.title.trim() }, signal)),
          watchLeaving,
        },
      }),
    },
  }),
  View: PlansPage,
})
