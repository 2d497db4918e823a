import type { TimeRange } from '../../../src/api/contract/time-range.ts'
import { subOf } from '../../streams/substream.ts'
import type { Run } from '../format/run.ts'
import type { SegmentIndex } from '../index/segment-index.ts'
import type { ListedSegment } from '../format/segment.ts'

/**
 * The main recording fills in where the substream lacks at least this much. Shorter gaps are usual, as the substream
 * connects later and has its keyframes at other moments.
 */
const minFilledMs = 2500
/**
 * If the main recording can't fill in, as its codec differs, the substream is still played while it lacks at most this
 * share of what is recorded, or this many milliseconds if that is more.
 */
const maxMissingShare = 0.02
const maxMissingMs = 10_000

/** How to play a range of the substream. The main recording fills in `fromMain`; `runs` are of both recordings. */
export type SubPlan = { runs: Run[]; fromMain: TimeRange[] }

/** The ranges of `whole` without those of `part`; both are sorted and have no overlaps. */
export const without = (whole: readonly TimeRange[], part: readonly TimeRange[]): TimeRange[] => {
  const rest: TimeRange[] = []
  let next = 0
  for (const { from, to } of whole) {
    let at = from
    while ((part[next]?.to ?? Infinity) <= from) next += 1
    for (let index = next; at < to; index += 1) {
      const present = part[index]
      if (present === undefined || present.from >= to) {
        rest.push({ from: at, to })
        break
      }
      if (present.from > at) rest.push({ from: at, to: present.from })
      at = Math.max(at, present.to)
    }
  }
  return rest
}

const lengthOf = (ranges: readonly TimeRange[]): number => ranges.reduce((sum, { from, to }) => sum + to - from, 0)

/** Codecs without their profile, such as `avc1` and `hvc1`. */
const codecFamilies = (runs: readonly Run[]): Set<string> =>
  new Set(runs.map(({ init }) => init.video.codec.split('.')[0] ?? ''))

/** Undefined if the substream lacks too much: then the main rendition is to be played. */
export const planSub = async (
  index: SegmentIndex,
  uid: string,
  { from, to }: TimeRange,
  signal: AbortSignal,
): Promise<SubPlan | undefined> => {
  const sub = subOf(uid)
  const runs = await index.runOfEachKind(sub, from, to)
  if (runs.length === 0) return undefined
  const recorded = await index.recordedRanges(uid, from, to, signal)
  const missing = without(recorded, await index.recordedRanges(sub, from, to, signal))
  const toFill = missing.filter((range) => lengthOf([range]) >= minFilledMs)
  if (toFill.length === 0) return { runs, fromMain: [] }
  const mainRuns = await index.runOfEachKind(uid, from, to)
  if (codecFamilies(mainRuns).isSubsetOf(codecFamilies(runs))) return { runs: [...runs, ...mainRuns], fromMain: toFill }
  const maxMissing = Math.max(maxMissingMs, lengthOf(recorded) * maxMissingShare)
  return lengthOf(toFill) > maxMissing ? undefined : { runs, fromMain: [] }
}

/** Pages of the segments of a plan, oldest first. `onMain` gets those that are of the main recording. */
export const listPlan = async function* (
  index: SegmentIndex,
  uid: string,
  { from, to }: TimeRange,
  plan: SubPlan,
  onMain: (page: readonly ListedSegment[]) => void,
): AsyncGenerator<ListedSegment[]> {
  const mainWithin = async function* (range: TimeRange): AsyncGenerator<ListedSegment[]> {
    // Only segments wholly within the range, so that no moment is shown twice.
    const fits = ({ start, finish }: ListedSegment): boolean =>
      (start >= range.from || range.from === from) && (finish <= range.to || range.to === to)
    for await (const page of index.pagesWithin(uid, range.from, range.to)) {
      const fitting = page.filter(fits)
      onMain(fitting)
      yield fitting
    }
  }
  const toFill = [...plan.fromMain]
  for await (const page of index.pagesWithin(subOf(uid), from, to)) {
    let rest = page
    for (let [range] = toFill; range !== undefined && (page.at(-1)?.start ?? 0) >= range.from; [range] = toFill) {
      const { from: rangeStart } = range
      const firstAfter = rest.findIndex(({ start }) => start >= rangeStart)
      yield rest.slice(0, firstAfter)
      rest = rest.slice(firstAfter)
      yield* mainWithin(range)
      toFill.shift()
    }
    yield rest
  }
  for (const range of toFill) yield* mainWithin(range)
}
