import { fromPromise } from 'xstate'
import type { Reply } from '../../api/reply.ts'
import { createMosaic, getMosaics } from '../../api/resources/mosaics.ts'
import { getPlan, getPlanPicture } from '../../api/resources/plans.ts'
import { gridOf } from '../../machines/plans/plan-shapes.ts'
import { planMachine, planResourceMachine, type ShownPlan } from '../../machines/plans/plan.machine.ts'
import { PlanPage } from '../../views/plans/PlanPage.tsx'
import { definePage } from '../page.ts'
import { createPreviews } from '../shared/previews.ts'
import { visibility } from '../shared/visibility.ts'

async function fetchPlan(id: string, known: ShownPlan | null, signal: AbortSignal): Promise<Reply<ShownPlan>> {
  const reply = await getPlan(id, signal)
  if (!reply.ok) return reply
  const { picture: version } = reply.value
  if (version === '') return { ...reply, value: { plan: reply.value, picture: null } }
  if (known?.picture?.version === version) return { ...reply, value: { plan: reply.value, picture: known.picture } }
  const file = await getPlanPicture(id, signal)
  return { ...reply, value: { plan: reply.value, picture: file.ok ? { version, file: file.value } : null } }
}

/** The user's mosaic of the same streams, else a new one: the list of mosaics would otherwise fill with copies. */
async function openMosaic(name: string, uids: readonly string[], signal: AbortSignal): Promise<Reply<{ id: string }>> {
  const mosaics = await getMosaics(signal)
  if (!mosaics.ok) return mosaics
  const requested = [...uids].toSorted().join(' ')
  const same = mosaics.value.items.find(
    ({ cells }) =>
      cells
        .map(({ streamUid }) => streamUid)
        .toSorted()
        .join(' ') === requested,
  )
  if (same !== undefined) return { ...mosaics, value: { id: same.id } }
  return createMosaic({ name, ...gridOf(uids) }, signal)
}

export const page = definePage({
  logic: planMachine.provide({
    actors: {
      resource: planResourceMachine.provide({
        actors: {
          fetchResource: fromPromise(({ input: { query, known }, signal }) => fetchPlan(query.id, known, signal)),
          visibility,
        },
      }),
      previews: createPreviews(),
      openMosaic: fromPromise(({ input: { name, uids }, signal }) => openMosaic(name, uids, signal)),
    },
  }),
  View: PlanPage,
})
