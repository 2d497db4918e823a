import { expect, test } from 'vitest'
import { noResponse } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import {
  camera,
  cameras,
  limits,
  measured,
  minute,
  now,
  openMosaicExport,
  range,
  zone,
} from '../../../tests/machines/mosaic-export.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { exportParts } from './export-form.ts'
import { bytesOfItems, cameraState, itemsOf } from './mosaic-export-items.ts'
import { type MosaicExportEvent, mosaicExportMachine, selectExportContext } from './mosaic-export.machine.ts'

test('cameras with recordings are chosen once all are measured, and a note typed before stays', async () => {
  const { asked, form, items, submit, sent, value, toasts } = openMosaicExport()
  form.send({ type: 'form.edited', values: { note: 'Case 7' } })
  expect([value(), items()]).toEqual([{ open: 'measuring' }, []])
  await settle()
  const chosen = items()
  await submit()
  expect({ asked, chosen, sent, value: value(), toasts: toasts() }).toEqual({
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
        timezone: zone,
      },
    ],
    value: 'closed',
    toasts: [{ tone: 'success', code: 'exportStarted', values: {} }],
  })
})

test('what was typed during the measurement is unsaved still, and leaving asks about it', async () => {
  const { form } = openMosaicExport()
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
  const { ref } = openMosaicExport()
  await settle()
  const context = selectExportContext(ref.getSnapshot())
  const items = (uids: readonly string[]) => ({
    items: uids.map((uid) => ({ uid, ...range })),
    note: '',
    overlay: false,
    timezone: zone,
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
  const { form, submit, sent, value } = openMosaicExport()
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
  const { ref, form } = openMosaicExport({
    measure: async () => ({ gate, yard: refused(500, 'InternalServerError') }),
    marked: long,
  })
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
  const { context, asked } = openMosaicExport({ marked: { from: range.from, to: now + minute } })
  const cut = { from: range.from, to: now }
  expect([context().range, context().cutAt, asked]).toEqual([
    { ...cut, askedTo: now + minute },
    now,
    [expect.objectContaining({ range: cut })],
  ])
})

test('an error of a camera is shown beside it; without measurements cameras can be chosen still', async () => {
  const details = { 'items.0.startTime': 'Nothing is recorded in this time' }
  const apiError = { ...noResponse, status: 400, code: 'ValidationError' as const, details }
  const { form, items, submit, value, toasts } = openMosaicExport({
    replies: [{ ok: false, apiError }],
    measure: () => Promise.reject(new Error('broken')),
  })
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
  const own = {
    'export.requested': [{ type: 'export.requested', range, now, zone, cameras }],
    'ranges.kept': [{ type: 'ranges.kept' }],
    'range.removed': [{ type: 'range.removed', index: 0 }],
    'dialog.closed': [{ type: 'dialog.closed' }],
    'form.saved': [
      { type: 'form.saved', answer: { id: 'e1' }, values: { items: [], note: '', overlay: false, timezone: zone } },
    ],
  } satisfies { [Type in MosaicExportEvent['type']]: Extract<MosaicExportEvent, { type: Type }>[] }
  const walked = walkEdges(mosaicExportMachine, {
    model: mosaicExportMachine.provide({
      actions: {
        notifyStarted: () => undefined,
        chooseRecorded: () => undefined,
        keep: () => undefined,
        removeRange: () => undefined,
      },
    }),
    input: { limits },
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.done.actor.measureCameras', output: measured },
      { type: 'xstate.error.actor.measureCameras', error: new Error('not provided') },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
