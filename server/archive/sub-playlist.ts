import type { TimeRange } from '../../src/api/contract/time-range.ts'
import { subOf } from '../streams/substream.ts'
import type { Run } from './run.ts'
import type { SegmentIndex } from './segment-index.ts'
import type { Listed } from './segment.ts'

/** Shorter ranges without the substream stay gaps: it connects later, and its keyframes differ. */
const minGapMs = 2500
/**
 * The share of a range that the substream may lack when the main rendition can't replace it, as their codecs differ.
 */
const maxMissing = 0.02
const maxMissingMs = 10_000

/** A range of the substream. `gaps`: ranges that only the main rendition has, which it fills. */
export type SubPlan = { runs: Run[]; gaps: TimeRange[] }

/** The parts of `whole` that aren't in `part`; both in order, without overlaps. */
export const without = (whole: readonly TimeRange[], part: readonly TimeRange[]): TimeRange[] => {
  const rest: TimeRange[] = []
  let next = 0
  for (const { from, to } of whole) {
    let at = from
    while ((part[next]?.to ?? Infinity) <= from) next += 1
    for (let index = next; at < to; index += 1) {
      const taken = part[index]
      if (taken === undefined || taken.from >= to) {
        rest.push({ from: at, to })
        break
      }
      if (taken.from > at) rest.push({ from: at, to: taken.from })
      at = Math.max(at, taken.to)
    }
  }
  return rest
}

const lengthOf = (ranges: readonly TimeRange[]): number => ranges.reduce((sum, { from, to }) => sum + to - from, 0)

const familiesOf = (runs: readonly Run[]): Set<string> =>
  new Set(runs.map(({ init }) => init.video.codec.split('.')[0] ?? ''))

/** How the substream serves a range; undefined if the main rendition must. */
export const planSub = async (
  index: SegmentIndex,
  uid: string,
  { from, to }: TimeRange,
  signal: AbortSignal,
): Promise<SubPlan | undefined> => {
  const sub = subOf(uid)
  const runs = await index.kindsWithin(sub, from, to)
  if (runs.length === 0) return undefined
  const recorded = await index.fragments(uid, from, to, signal)
  const missing = without(recorded, await index.fragments(sub, from, to, signal))
  const gaps = missing.filter((gap) => lengthOf([gap]) >= minGapMs)
  if (gaps.length === 0) return { runs, gaps }
  const mains = await index.kindsWithin(uid, from, to)
  if (familiesOf(mains).isSubsetOf(familiesOf(runs))) return { runs: [...runs, ...mains], gaps }
  const most = Math.max(maxMissingMs, lengthOf(recorded) * maxMissing)
  return lengthOf(gaps) > most ? undefined : { runs, gaps: [] }
}

/** The segments of a plan in order, in pages; `fromMain` is called with those of the main rendition. */
export const listPlan = async function* (
  index: SegmentIndex,
  uid: string,
  { from, to }: TimeRange,
  plan: SubPlan,
  fromMain: (page: readonly Listed[]) => void,
): AsyncGenerator<Listed[]> {
  const inGap = async function* (gap: TimeRange): AsyncGenerator<Listed[]> {
    // Within the gap alone: no moment is shown twice.
    const fits = ({ start, finish }: Listed): boolean =>
      (start >= gap.from || gap.from === from) && (finish <= gap.to || gap.to === to)
    for await (const page of index.pagesWithin(uid, gap.from, gap.to)) {
      const found = page.filter(fits)
      fromMain(found)
      yield found
    }
  }
  const gaps = [...plan.gaps]
  for await (const page of index.pagesWithin(subOf(uid), from, to)) {
    let rest = page
    for (let [gap] = gaps; gap !== undefined && (page.at(-1)?.start ?? 0) >= gap.from; [gap] = gaps) {
      const { from: begin } = gap
      const after = rest.findIndex(({ start }) => start >= begin)
      yield rest.slice(0, after)
      rest = rest.slice(after)
      yield* inGap(gap)
      gaps.shift()
    }
    yield rest
  }
  for (const gap of gaps) yield* inGap(gap)
}
