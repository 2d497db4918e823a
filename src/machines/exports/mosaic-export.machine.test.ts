import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { noResponse, type Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { exportFormMachine, exportParts, type ExportValues, type SplitFacts } from './export-form.ts'
import {
  bytesOfItems,
  cameraState,
  type ExportCamera,
  itemsOf,
  mosaicExportMachine,
  selectExportContext,
} from './mosaic-export.machine.ts'

const minute = 60_000
const range = { from: Date.UTC(2026, 10, 21, 8), to: Date.UTC(2026, 10, 21, 8, 10) }
const camera = (uid: string, given: Partial<ExportCamera> = {}): ExportCamera => ({
  uid,
  name: uid.toUpperCase(),
  mayExport: true,
  bitrate: 8_000_000,
  ...given,
})
const cameras = [camera('gate'), camera('yard'), camera('cellar', { mayExport: false }), camera('hall'), camera('roof')]
const now = Date.UTC(2026, 10, 21, 12)
const limits = { maxSeconds: 3600, chunkMs: 180 * minute, maxItems: 3 }
const whole: SplitFacts = { recordedMs: 10 * minute, gaps: 0, gapMs: 0, parts: [range] }
const measured: Readonly<Record<string, Reply<SplitFacts>>> = {
  gate: ok(whole),
  yard: ok({ recordedMs: 4 * minute, gaps: 1, gapMs: 6 * minute, parts: [range] }),
  hall: ok({ recordedMs: 0, gaps: 1, gapMs: 10 * minute, parts: [] }),
  roof: refused(500, 'InternalServerError'),
}

function open(replies: Reply<{ id: string }>[] = [], measure = async () => measured, marked = range) {
  const asked: object[] = []
  const sent: ExportValues[] = []
  const page = openPage(
    mosaicExportMachine.provide({
      actors: {
        measureCameras: fromPromise(({ input }) => {
          asked.push(input)
          return measure()
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
    Object.assign(pageInput(), { range: marked, now, cameras, limits }),
  )
  const { form } = page.ref.getSnapshot().children
  const items = () => form.getSnapshot().context.values.items.map(({ uid }: { uid: string }) => uid)
  const submit = async () => {
    form.send({ type: 'form.submitted' })
    await settle()
  }
  return { ...page, asked, sent, form, items, submit }
}

test('cameras with recordings are chosen once all are measured, and a note typed before stays', async () => {
  const { asked, form, items, submit, sent, value, toasts, received } = open()
  form.send({ type: 'form.edited', values: { note: 'Case 7' } })
  expect([value(), items()]).toEqual([{ open: 'measuring' }, []])
  await settle()
  const chosen = items()
  await submit()
  expect({ asked, chosen, sent, value: value(), toasts: toasts(), received }).toEqual({
    asked: [{ uids: ['gate', 'yard', 'hall', 'roof'], range, limits }],
    chosen: ['gate', 'yard'],
    sent: [
      {
        items: [
          { uid: 'gate', ...range },
          { uid: 'yard', ...range },
        ],
        note: 'Case 7',
        overlay: false,
      },
    ],
    value: 'closed',
    toasts: [{ tone: 'success', code: 'exportStarted', values: {} }],
    received: [{ type: 'export.closed' }],
  })
})

test('what was typed during the measurement is unsaved still, and leaving asks about it', async () => {
  const { form } = open()
  form.send({ type: 'form.edited', values: { note: 'Case 7' } })
  form.send({ type: 'leave.attempted' })
  await settle()
  const { saved, values } = form.getSnapshot().context
  expect([saved.note, values.note, saved.items, form.getSnapshot().value.leaving]).toEqual([
    '',
    'Case 7',
    values.items,
    { held: 'confirming' },
  ])
})

test('how each camera stands, and how much the chosen ones take', async () => {
  const { ref } = open()
  await settle()
  const context = selectExportContext(ref.getSnapshot())
  const items = (uids: readonly string[]) => ({
    items: uids.map((uid) => ({ uid, ...range })),
    note: '',
    overlay: false,
  })
  expect({
    before: cameraState(camera('gate'), undefined, true),
    looks: cameras.map((one) => cameraState(one, context.measurements[one.uid], false)),
    bytes: [['gate', 'yard'], ['gate', 'roof'], []].map((uids) => bytesOfItems(context, items(uids))),
  }).toEqual({
    before: 'measuring',
    looks: ['recorded', 'recorded', 'forbidden', 'empty', 'unknown'],
    bytes: [840_000_000, null, null],
  })
})

test('an export without a camera is refused here', async () => {
  const { form, submit, sent, value } = open()
  await settle()
  form.send({ type: 'form.edited', values: { items: [] } })
  await submit()
  expect({ errors: form.getSnapshot().context.errors, sent, value: value() }).toEqual({
    errors: { items: 'empty' },
    sent: [],
    value: { open: 'choosing' },
  })
})

test('of a long range each camera has its parts with recordings, or all if these are unknown', async () => {
  const long = { from: range.from, to: range.from + 90 * minute }
  const [first = long, second = long] = exportParts(long, limits)
  const gate = ok({ recordedMs: 50 * minute, gaps: 1, gapMs: 40 * minute, parts: [second] })
  const { ref, form } = open([], async () => ({ gate, yard: refused(500, 'InternalServerError') }), long)
  await settle()
  const context = selectExportContext(ref.getSnapshot())
  const { values } = form.getSnapshot().context
  expect({
    chosen: values.items,
    bytes: bytesOfItems(context, values),
    all: itemsOf(context, (uid) => ['gate', 'yard'].includes(uid)),
  }).toEqual({
    chosen: [{ uid: 'gate', ...second }],
    bytes: 3_000_000_000,
    all: [
      { uid: 'gate', ...second },
      { uid: 'yard', ...first },
      { uid: 'yard', ...second },
    ],
  })
})

test('an end in the future is cut', async () => {
  const { context, asked } = open([], undefined, { from: range.from, to: now + minute })
  const cut = { from: range.from, to: now }
  expect([context().range, context().cutAt, asked]).toEqual([cut, now, [expect.objectContaining({ range: cut })]])
})

test('an error of a camera is shown beside it; without measurements cameras can be chosen still', async () => {
  const details = { 'items.0.startTime': 'Nothing is recorded in this time' }
  const apiError = { ...noResponse, status: 400, code: 'ValidationError' as const, details }
  const { form, items, submit, value, toasts } = open([{ ok: false, apiError }], () =>
    Promise.reject(new Error('broken')),
  )
  await settle()
  const none = items()
  form.send({ type: 'form.edited', values: { items: [{ uid: 'gate', ...range }] } })
  await submit()
  expect({ none, errors: form.getSnapshot().context.errors, value: value(), toasts: toasts() }).toEqual({
    none: [],
    errors: details,
    value: { open: 'choosing' },
    toasts: [],
  })
})

test('every edge of the chart is walked', () => {
  const walked = walkEdges(mosaicExportMachine, {
    model: mosaicExportMachine.provide({
      actions: { notifyStarted: () => undefined, notifyClosed: () => undefined, chooseRecorded: () => undefined },
    }),
    input: { range, now, cameras, limits },
    events: [
      { type: 'dialog.closed' },
      { type: 'form.saved', answer: { id: 'e1' }, values: { items: [], note: '', overlay: false } },
      { type: 'xstate.done.actor.measureCameras', output: measured },
      { type: 'xstate.error.actor.measureCameras', error: new Error('not provided') },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
