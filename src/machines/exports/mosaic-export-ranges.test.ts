import { expect, test } from 'vitest'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { ok } from '../../../tests/fixtures/replies.ts'
import { limits, minute, openMosaicExport, range, zone } from '../../../tests/machines/mosaic-export.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { bytesOfRanges, rangesOf } from './mosaic-export-items.ts'
import { selectExportContext } from './mosaic-export.machine.ts'

const ample = { ...limits, maxItems: 32 }
const later = { from: range.to + minute, to: range.to + 11 * minute }
const both = (one: TimeRange) => ['gate', 'yard'].map((uid) => ({ uid, ...one }))

/** Of the range that is asked for, gate and yard have recordings. */
const recorded = async ({ range: { from, to } }: { range: TimeRange }) => {
  const all = ok({ recordedMs: to - from, gaps: 0, gapMs: 0, parts: [{ from, to }] })
  return { gate: all, yard: all }
}

test('several ranges are sent together, each with its cameras, and with what was typed before', async () => {
  const { send, form, formOf, valuesOf, sent, submit, select, value, context, ref } = openMosaicExport({
    measure: recorded,
    given: ample,
  })
  await settle()
  form.send({ type: 'form.edited', values: { note: 'Case 7', overlay: true } })
  send({ type: 'ranges.kept' })
  const closed = value()
  select(later)
  await settle()
  const ranges = rangesOf(selectExportContext(ref.getSnapshot()), valuesOf())
  const { saved } = formOf().getSnapshot().context
  const values = { items: [...both(range), ...both(later)], note: 'Case 7', overlay: true, timezone: zone }
  await submit()
  expect({ closed, bytes: bytesOfRanges(ranges), saved, sent, kept: context().kept }).toEqual({
    closed: 'closed',
    bytes: 2_400_000_000,
    saved: values,
    sent: [values],
    kept: { ranges: [], note: '', overlay: false },
  })
})

test('a range that is selected again is listed once, with its cameras; one of another end is another one', async () => {
  const { send, form, valuesOf, select } = openMosaicExport({ measure: recorded, given: ample })
  await settle()
  const yard = { uid: 'yard', ...range }
  form.send({ type: 'form.edited', values: { items: [yard] } })
  send({ type: 'ranges.kept' })
  select(range)
  await settle()
  const again = valuesOf().items
  send({ type: 'dialog.closed' })
  const longer = { from: range.from, to: range.to + minute }
  select(longer)
  await settle()
  expect([again, valuesOf().items]).toEqual([[yard], [yard, ...both(longer)]])
})

test('a range is removed for good; the selected one keeps its cameras', async () => {
  const { send, formOf, valuesOf, select, context } = openMosaicExport({ measure: recorded, given: ample })
  await settle()
  send({ type: 'ranges.kept' })
  select(later)
  await settle()
  const yard = { uid: 'yard', ...later }
  formOf().send({ type: 'form.edited', values: { items: [...both(range), yard] } })
  send({ type: 'range.removed', index: 0 })
  const rest = valuesOf().items
  send({ type: 'dialog.closed' })
  select(later)
  await settle()
  const reopened = valuesOf().items
  send({ type: 'ranges.kept' })
  select(range)
  await settle()
  send({ type: 'range.removed', index: 1 })
  expect({ rest, reopened, last: valuesOf().items, selected: context().range }).toEqual({
    rest: [yard],
    reopened: both(later),
    last: both(later),
    selected: null,
  })
})

test('more items than an export may have are refused, until a range is removed', async () => {
  const { send, formOf, sent, submit, select } = openMosaicExport({ measure: recorded })
  await settle()
  send({ type: 'ranges.kept' })
  select(later)
  await settle()
  await submit()
  const { errors } = formOf().getSnapshot().context
  send({ type: 'range.removed', index: 0 })
  await submit()
  expect({ errors, sent: sent.map(({ items }) => items) }).toEqual({
    errors: { items: 'tooManyFiles' },
    sent: [both(later)],
  })
})
