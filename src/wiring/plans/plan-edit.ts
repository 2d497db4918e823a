import { fromPromise } from 'xstate'
import { pictureSizeOf } from '../../api/browser/picture-file.ts'
import { mapReply } from '../../api/map-reply.ts'
import type { Reply } from '../../api/reply.ts'
import { changePlan, getPlan, getPlanPicture, setPlanPicture } from '../../api/resources/plans.ts'
import { type KnownPlan, planEditMachine } from '../../machines/plans/plan-edit.machine.ts'
import { fileProblem, pixelProblem, planForm, planPatch } from '../../machines/plans/plan-values.ts'
import { PlanEditPage } from '../../views/plans/PlanEditPage.tsx'
import { definePage } from '../page.ts'
import { allCameras } from '../shared/all-cameras.ts'
import { storeDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'

async function fetchPlan(id: string, signal: AbortSignal): Promise<Reply<KnownPlan>> {
  const plan = await getPlan(id, signal)
  if (!plan.ok) return plan
  const picture = plan.value.picture === '' ? null : await getPlanPicture(id, signal)
  if (picture?.ok === false) return picture
  return mapReply(await allCameras(signal), ({ items: streams }) => ({
    plan: plan.value,
    picture: picture === null ? null : picture.value,
    streams,
  }))
}

export const page = definePage({
  logic: planEditMachine.provide({
    actors: {
      fetchPlan: fromPromise(({ input, signal }) => fetchPlan(input.id, signal)),
      readPicture: fromPromise(async ({ input: { file } }) => {
        const problem = fileProblem(file)
        if (problem !== undefined) return { problem }
        const size = await pictureSizeOf(file)
        const sizeProblem = pixelProblem(size)
        return sizeProblem === undefined ? { picture: { file, ...size } } : { problem: sizeProblem }
      }),
      form: planForm.provide({
        actors: {
          submit: fromPromise(async ({ input: { values, saved }, signal }): Promise<Reply<object>> => {
            const patch = planPatch(values, saved)
            const changed: Reply<object> =
              patch === null
                ? { ok: true, value: {}, retryAfterSeconds: null }
                : await changePlan(values.id, patch, signal)
            // The picture was checked here, and comes last: a save that is refused has changed nothing.
            if (!changed.ok || values.picture === null) return changed
            return setPlanPicture(values.id, values.picture.file, signal)
          }),
          watchLeaving,
          storeDraft,
        },
      }),
    },
  }),
  View: PlanEditPage,
})
