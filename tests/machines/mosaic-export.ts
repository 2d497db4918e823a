import { fromPromise } from 'xstate'
import type { TimeRange } from '../../src/api/contract/time-range.ts'
import type { Reply } from '../../src/api/reply.ts'
import {
  exportFormMachine,
  type ExportLimits,
  type ExportValues,
  type SplitFacts,
} from '../../src/machines/exports/export-form.ts'
import type { ExportCamera } from '../../src/machines/exports/mosaic-export-items.ts'
import { type MosaicExportEvent, mosaicExportMachine } from '../../src/machines/exports/mosaic-export.machine.ts'
import { ok, refused } from '../fixtures/replies.ts'
import { openPage, pageInput } from './page.ts'
import { settle } from './settle.ts'

type Measured = Readonly<Record<string, Reply<SplitFacts>>>

export const minute = 60_000
export const range = { from: Date.UTC(2026, 10, 21, 8), to: Date.UTC(2026, 10, 21, 8, 10) }
export const camera = (uid: string, given: Partial<ExportCamera> = {}): ExportCamera => ({
  uid,
  name: uid.toUpperCase(),
  mayExport: true,
  bitrate: 8_000_000,
  ...given,
})
export const cameras = [
  camera('gate'),
  camera('yard'),
  camera('cellar', { mayExport: false }),
  camera('hall'),
  camera('roof'),
]
export const now = Date.UTC(2026, 10, 21, 12)
export const zone = 'Europe/Moscow'
export const limits = { maxSeconds: 3600, chunkMs: 180 * minute, maxItems: 3 }
const whole: SplitFacts = { recordedMs: 10 * minute, gaps: 0, gapMs: 0, parts: [range] }
export const measured: Measured = {
  gate: ok(whole),
  yard: ok({ recordedMs: 4 * minute, gaps: 1, gapMs: 6 * minute, parts: [range] }),
  hall: ok({ recordedMs: 0, gaps: 1, gapMs: 10 * minute, parts: [] }),
  roof: refused(500, 'InternalServerError'),
}

interface Given {
  replies?: Reply<{ id: string }>[]
  measure?: (input: { range: TimeRange }) => Promise<Measured>
  marked?: TimeRange
  given?: ExportLimits
}

/** The export of a mosaic's cameras, with the dialog open for a range. */
export function openMosaicExport({
  replies = [],
  measure = async () => measured,
  marked = range,
  given = limits,
}: Given = {}) {
  const asked: object[] = []
  const sent: ExportValues[] = []
  const page = openPage(
    mosaicExportMachine.provide({
      actors: {
        measureCameras: fromPromise(({ input }) => {
          asked.push(input)
          return measure(input)
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
    Object.assign(pageInput(), { limits: given }),
  )
  const select = (selected: TimeRange) =>
    page.send({ type: 'export.requested', range: selected, now, zone, cameras } satisfies MosaicExportEvent)
  const formOf = () => page.ref.getSnapshot().children.form
  const valuesOf = (): ExportValues => formOf().getSnapshot().context.values
  const items = () => valuesOf().items.map(({ uid }) => uid)
  const submit = async () => {
    formOf().send({ type: 'form.submitted' })
    await settle()
  }
  select(marked)
  return { ...page, asked, sent, form: formOf(), formOf, valuesOf, items, select, submit }
}
