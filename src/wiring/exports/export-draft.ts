import { fromPromise } from 'xstate'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Reply } from '../../api/reply.ts'
import { addExport } from '../../api/resources/exports.ts'
import { exportDraftMachine } from '../../machines/exports/export-draft.machine.ts'
import {
  exportFormMachine,
  type ExportLimits,
  type ExportValues,
  type SplitFacts,
  splitFactsOf,
} from '../../machines/exports/export-form.ts'
import { fetchIntervals } from '../player/measure.ts'
import { watchLeaving } from '../shared/leaving.ts'

const iso = (at: number) => new Date(at).toISOString()

/** Starts an export of the form's items. */
function sendExport({ values }: { readonly values: ExportValues }, signal: AbortSignal) {
  const note = values.note.trim()
  const items = values.items.map(({ uid, from, to }) => ({ streamId: uid, startTime: iso(from), endTime: iso(to) }))
  const drawn = values.overlay ? { overlay: true, timezone: values.timezone } : {}
  const options = { ...(note === '' ? {} : { note }), ...drawn }
  return addExport({ items, ...options }, signal)
}

export const exportForm = exportFormMachine.provide({
  actors: { submit: fromPromise(({ input, signal }) => sendExport(input, signal)), watchLeaving },
})

/** Measures what of a range is recorded, and finds its parts with recordings. */
export async function measureParts(
  { uid, range, limits }: { uid: string; range: TimeRange; limits: ExportLimits },
  signal: AbortSignal,
): Promise<Reply<SplitFacts>> {
  const reply = await fetchIntervals({ uid, ...range, chunkMs: limits.chunkMs }, signal)
  return reply.ok ? { ...reply, value: splitFactsOf(reply.value, range, limits) } : reply
}

export const exportDraft = exportDraftMachine.provide({
  actors: { form: exportForm, measureParts: fromPromise(({ input, signal }) => measureParts(input, signal)) },
})
