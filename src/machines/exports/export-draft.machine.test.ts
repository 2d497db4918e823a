import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { noResponse, type Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { type ExportDraftEvent, exportDraftMachine } from './export-draft.machine.ts'
import { exportFormMachine, type ExportValues, type SplitFacts } from './export-form.ts'

const hour = 3_600_000
const range = { from: Date.UTC(2026, 10, 21, 8), to: Date.UTC(2026, 10, 21, 9) }
const now = Date.UTC(2026, 10, 21, 12)
const zone = 'Europe/Moscow'
const limits = { maxSeconds: 3600, chunkMs: 3 * hour, maxItems: 32 }
const twoHours = { from: range.from, to: range.from + 2 * hour }
const halves = [range, { from: range.to, to: twoHours.to }]
const facts: SplitFacts = { recordedMs: hour, gaps: 1, gapMs: hour, parts: [range] }
const values: ExportValues = { items: [{ uid: 'gate', ...range }], note: 'Case 7', overlay: false, timezone: zone }

interface Given {
  replies?: Reply<{ id: string }>[]
  asked?: TimeRange
  measured?: Reply<SplitFacts> | Error
}

const open = ({ replies = [], asked = range, measured = ok(facts) }: Given = {}) => {
  const sent: ExportValues[] = []
  const page = openPage(
    exportDraftMachine.provide({
      actors: {
        measureParts: fromPromise(async () => {
          if (measured instanceof Error) throw measured
          return measured
        }),
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
    Object.assign(pageInput(), { uid: 'gate', limits }),
  )
  page.send({ type: 'export.requested', range: asked, now, zone })
  const formOf = () => page.ref.getSnapshot().children.form
  const submit = async () => {
    const form = formOf()
    form.send({ type: 'form.edited', values: { note: 'Case 7' } })
    form.send({ type: 'form.submitted' })
    await settle()
  }
  return { ...page, form: formOf(), formOf, sent, submit }
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
  const { form, submit, value, toasts } = open({ replies: [{ ok: false, apiError }] })
  await submit()
  const { errors, values: kept } = form.getSnapshot().context
  expect({ errors, kept, value: value(), toasts: toasts() }).toEqual({
    errors: details,
    kept: values,
    value: { drafting: 'ready' },
    toasts: [],
  })
})

test('a long range is sent in parts, without those that have no recordings', async () => {
  const { form, sent, submit, value } = open({ asked: twoHours })
  const before = value()
  const items = () => form.getSnapshot().context.values.items
  const unmeasured = items()
  await settle()
  const { saved } = form.getSnapshot().context
  await submit()
  const gate = { uid: 'gate' }
  expect({ before, unmeasured, saved, sent }).toEqual({
    before: { drafting: 'measuring' },
    unmeasured: halves.map((part) => ({ ...gate, ...part })),
    saved: { ...values, note: '' },
    sent: [values],
  })
})

test.each([
  ['a refusal', refused(500, 'InternalServerError')],
  ['a fault', new Error('broken')],
])('after %s of the measurement all parts are sent', async (_name, measured) => {
  const { sent, submit } = open({ asked: twoHours, measured })
  await settle()
  await submit()
  expect(sent.map(({ items }) => items)).toEqual([halves.map((part) => ({ uid: 'gate', ...part }))])
})

test('several ranges are sent together, with what was typed before the last one was selected', async () => {
  const { send, form, formOf, sent, value, context } = open()
  const later = { from: range.to + hour, to: range.to + 2 * hour }
  form.send({ type: 'form.edited', values: { note: 'Case 7', overlay: true } })
  send({ type: 'ranges.kept' })
  const closed = value()
  send({ type: 'export.requested', range: later, now, zone })
  formOf().send({ type: 'form.submitted' })
  await settle()
  const items = [range, later].map((one) => ({ uid: 'gate', ...one }))
  expect({ closed, sent, kept: context().kept }).toEqual({
    closed: 'closed',
    sent: [{ items, note: 'Case 7', overlay: true, timezone: zone }],
    kept: { ranges: [], note: '', overlay: false },
  })
})

test('a range that was added before is listed once, and is removed for good', async () => {
  const { send, formOf, context } = open()
  const later = { from: range.to, to: range.to + hour }
  send({ type: 'ranges.kept' })
  send({ type: 'export.requested', range, now, zone })
  const listed = () => context().ranges.map(({ from }: TimeRange) => from)
  const once = listed()
  send({ type: 'dialog.closed' })
  send({ type: 'export.requested', range: later, now, zone })
  const both = listed()
  send({ type: 'range.removed', index: 0 })
  const { items } = formOf().getSnapshot().context.values
  send({ type: 'dialog.closed' })
  expect({ once, both, items, kept: context().kept.ranges }).toEqual({
    once: [range.from],
    both: [range.from, later.from],
    items: [{ uid: 'gate', ...later }],
    kept: [],
  })
})

test('an end in the future is cut', () => {
  const { form, context } = open({ asked: { from: now - hour, to: now + hour } })
  expect([form.getSnapshot().context.values.items, context().cutAt]).toEqual([
    [{ uid: 'gate', from: now - hour, to: now }],
    now,
  ])
})

test('a range that was cut is cut later where it is selected again, and the dialog forgets its cut without it', () => {
  const { send, context } = open()
  send({ type: 'ranges.kept' })
  const future = { from: now - hour / 2, to: now + hour }
  send({ type: 'export.requested', range: future, now, zone })
  send({ type: 'ranges.kept' })
  send({ type: 'export.requested', range: future, now: now + 60_000, zone })
  const shown = () => [context().ranges.map(({ from, to }: TimeRange) => ({ from, to })), context().cutAt]
  const cut = { from: now - hour / 2, to: now + 60_000 }
  expect(shown()).toEqual([[range, cut], now + 60_000])
  send({ type: 'range.removed', index: 1 })
  expect(shown()).toEqual([[range], null])
})

test('every edge of the chart is walked', () => {
  const own = {
    'export.requested': [range, twoHours].map((one) => ({ type: 'export.requested' as const, range: one, now, zone })),
    'ranges.kept': [{ type: 'ranges.kept' }],
    'range.removed': [{ type: 'range.removed', index: 0 }],
    'dialog.closed': [{ type: 'dialog.closed' }],
    'form.saved': [{ type: 'form.saved', answer: { id: 'e1' }, values }],
  } satisfies { [Type in ExportDraftEvent['type']]: Extract<ExportDraftEvent, { type: Type }>[] }
  const walked = walkEdges(exportDraftMachine, {
    model: exportDraftMachine.provide({
      actions: { notifyStarted: () => undefined, updateItems: () => undefined, keep: () => undefined },
    }),
    input: { uid: 'gate', limits },
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.done.actor.measureParts', output: ok(facts) },
      { type: 'xstate.error.actor.measureParts', error: new Error('not provided') },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
