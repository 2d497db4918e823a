import { fromPromise } from 'xstate'
import { addExport } from '../../api/resources/exports.ts'
import {
  exportDraftMachine,
  exportFormMachine,
  type ExportValues,
} from '../../machines/exports/export-draft.machine.ts'
import { watchLeaving } from '../shared/leaving.ts'

const iso = (at: number) => new Date(at).toISOString()

/** Starts an export of the form's items. */
export function sendExport({ values }: { readonly values: ExportValues }, signal: AbortSignal) {
  const note = values.note.trim()
  const items = values.items.map(({ uid, from, to }) => ({ streamId: uid, startTime: iso(from), endTime: iso(to) }))
  const options = { ...(note === '' ? {} : { note }), ...(values.overlay ? { overlay: true } : {}) }
  return addExport({ items, ...options }, signal)
}

export const exportDraft = exportDraftMachine.provide({
  actors: {
    form: exportFormMachine.provide({
      actors: { submit: fromPromise(({ input, signal }) => sendExport(input, signal)), watchLeaving },
    }),
  },
})
