import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { noResponse, type Reply } from '../../api/reply.ts'
import { ok } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import {
  type ExportDraftEvent,
  exportDraftMachine,
  exportFormMachine,
  type ExportValues,
} from './export-draft.machine.ts'

const range = { from: Date.UTC(2026, 10, 21, 8), to: Date.UTC(2026, 10, 21, 9) }
const values: ExportValues = { items: [{ uid: 'gate', ...range }], note: 'Case 7', overlay: false }

const open = (...replies: Reply<{ id: string }>[]) => {
  const sent: ExportValues[] = []
  const page = openPage(
    exportDraftMachine.provide({
      actors: {
        form: exportFormMachine.provide({
          actors: {
            submit: fromPromise(async ({ input }) => {
              sent.push(input.values)
              return replies.shift() ?? ok({ id: 'e1' })
            }),
          },
        }),
      },
    }),
    Object.assign(pageInput(), { uid: 'gate' }),
  )
  page.send({ type: 'export.requested', range })
  const { form } = page.ref.getSnapshot().children
  const submit = async () => {
    form.send({ type: 'form.edited', values: { note: 'Case 7' } })
    form.send({ type: 'form.submitted' })
    await settle()
  }
  return { ...page, form, sent, submit }
}

test('the selection is sent with its note, and a toast says that the export has started', async () => {
  const { sent, submit, value, toasts } = open()
  await submit()
  expect({ sent, value: value(), toasts: toasts() }).toEqual({
    sent: [values],
    value: 'closed',
    toasts: [{ tone: 'success', code: 'exportStarted', values: {} }],
  })
})

test('an error of the range is shown beside it, and the input stays', async () => {
  const details = { 'items.0.startTime': 'Nothing is recorded in this time' }
  const apiError = { ...noResponse, status: 400, code: 'ValidationError' as const, details }
  const { form, submit, value, toasts } = open({ ok: false, apiError })
  await submit()
  const { errors, values: kept } = form.getSnapshot().context
  expect({ errors, kept, value: value(), toasts: toasts() }).toEqual({
    errors: details,
    kept: values,
    value: 'drafting',
    toasts: [],
  })
})

test('every edge of the chart is walked', () => {
  const own = {
    'export.requested': [{ type: 'export.requested', range }],
    'dialog.closed': [{ type: 'dialog.closed' }],
    'form.saved': [{ type: 'form.saved', answer: { id: 'e1' }, values }],
  } satisfies { [Type in ExportDraftEvent['type']]: Extract<ExportDraftEvent, { type: Type }>[] }
  const walked = walkEdges(exportDraftMachine, {
    model: exportDraftMachine.provide({ actions: { notifyStarted: () => undefined } }),
    input: { uid: 'gate' },
    events: Object.values(own).flat(),
    name: ({ value }) => String(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
