import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Annotation, PeriodRanges } from '../../api/contract/archive.ts'
import { timelineAnnotationOf, type TimelineAnnotation } from './annotations.ts'
import { coverageMachine } from './coverage.machine.ts'
import { hoverPreviewMachine } from './hover-preview.machine.ts'
import { intervalsWithin, intervalChunkOf, type Interval } from './intervals.ts'
import { createChunksMachine } from './chunks.machine.ts'

/** The intervals of a cell; time that the response doesn't cover is a gap. */
function intervalsOf(answer: PeriodRanges, { from, to }: TimeRange): readonly Interval[] {
  const { intervals } = intervalChunkOf(answer)
  const inside = intervalsWithin(intervals, from, to)
  const first = inside[0]
  const last = inside.at(-1)
  if (first === undefined || last === undefined) return [{ type: 'gap', from, to }]
  const before: Interval = { type: 'gap', from, to: first.from }
  const after: Interval = { type: 'gap', from: last.to, to }
  return [before, ...inside, after].filter((interval) => interval.to > interval.from)
}

/** Only chunks with a gap are requested again, as recordings may have been added late or deleted by retention. */
export const rangesMachine = createChunksMachine<PeriodRanges, readonly Interval[]>(intervalsOf, ({ content }) =>
  content.some(({ type }) => type === 'gap'),
)

export const annotationsMachine = createChunksMachine<{ items: readonly Annotation[] }, readonly TimelineAnnotation[]>(
  ({ items }) => items.map(timelineAnnotationOf),
  () => false,
)

export const timelineActors = {
  ranges: rangesMachine,
  annotations: annotationsMachine,
  coverage: coverageMachine,
  hoverPreview: hoverPreviewMachine,
}
