import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Box } from '../../src/api/contract/box.ts'
import type { TimeRange } from '../../src/api/contract/time-range.ts'
import type { Recording } from '../archive/index/recordings.ts'
import type { SegmentIndex } from '../archive/index/segment-index.ts'
import type { Segment } from '../archive/format/segment.ts'
import { hourMs, minuteMs } from '../durations.ts'
import { subOf } from '../streams/substream.ts'
import { cellsIn, maxLevel } from './grid.ts'
import { readLevels } from './grid-record.ts'
import { type Covered, type Hit, joinCovered, joinHits, uncovered } from './hits.ts'
import type { MotionRows } from './motion-rows.ts'
import { hitsBySize } from './sizes.ts'

type MotionSearch = TimeRange & { uid: string; area: Box; sensitivity: number; maxItems: number }
type MotionFound = { items: Hit[]; coverage: Covered[]; searchedUntil: number }

/** The range of one step, so that other requests run between steps. */
const windowMs = hourMs
const rowsAtOnce = 240
/** Shorter parts without a motion index aren't searched by size: each chunk ends with one, after its last keyframe. */
const minGapMs = 15_000
/** Segments before a gap are read too, as their sizes show what is usual. */
const sizesBeforeMs = 10 * minuteMs

/** The minimum level that counts: 1 at the highest sensitivity, 9 at the lowest. */
export const minLevel = (sensitivity: number): number => 1 + Math.round((100 - sensitivity) / 12)

/** Whether a recorded range is what the motion index lacks of the chunk that it ends with. */
const isEndOfChunk = ({ to }: TimeRange, gap: TimeRange): boolean => to - gap.from < minGapMs

export const createMotionSearch = (
  index: Pick<SegmentIndex, 'recording' | 'pagesWithin'>,
  rows: Pick<MotionRows, 'within'>,
) => {
  type Window = TimeRange & { cells: readonly number[]; minimum: number }

  /** Motion by the motion index of a recording; `covered` gets the ranges of its chunks. */
  const byPicture = async (
    recording: Recording,
    { from, to, cells, minimum }: Window,
    covered: Covered[],
  ): Promise<Hit[]> => {
    const hits: Hit[] = []
    let at = from
    for (;;) {
      const found = await rows.within(recording, at, to, rowsAtOnce)
      for (const { start, finish, packed } of found) {
        const isRead = readLevels(packed, start, cells, (begin, end, level) => {
          if (level >= minimum && begin < to && end > from)
            hits.push({
              from: Math.max(from, begin),
              to: Math.min(to, end),
              score: level / maxLevel,
              source: 'picture',
            })
        })
        if (isRead) covered.push({ from: Math.max(from, start), to: Math.min(to, finish), source: 'picture' })
      }
      const last = found.at(-1)
      if (last === undefined || found.length < rowsAtOnce || last.finish <= at) return hits
      at = last.finish
      await nextTurn()
    }
  }

  /**
   * Motion by the sizes of segments, where there is no motion index; `covered` gets the ranges of the segments.
   * `isAfterIndex`: the gap begins where the motion index ends, so what is recorded there may be the end of a chunk.
   */
  const bySize = async (
    uid: string,
    { gap, isAfterIndex, sensitivity }: { gap: TimeRange; isAfterIndex: boolean; sensitivity: number },
    covered: Covered[],
  ): Promise<Hit[]> => {
    const segments: Segment[] = []
    for await (const page of index.pagesWithin(uid, gap.from - sizesBeforeMs, gap.to)) segments.push(...page)
    const recorded: Covered[] = []
    joinCovered(
      recorded,
      segments
        .filter(({ finish }) => finish > gap.from)
        .map(({ start, finish }) => ({
          from: Math.max(start, gap.from),
          to: Math.min(finish, gap.to),
          source: 'size' as const,
        })),
    )
    const [first] = recorded
    if (isAfterIndex && first !== undefined && isEndOfChunk(first, gap)) recorded.shift()
    covered.push(...recorded)
    return hitsBySize(segments, sensitivity).flatMap((hit) => {
      const within = recorded.find(({ from, to }) => hit.to > from && hit.from < to)
      return within === undefined
        ? []
        : [{ ...hit, from: Math.max(within.from, hit.from), to: Math.min(within.to, hit.to) }]
    })
  }

  /** Motion in a range, oldest first. Ends early if `signal` aborts, or after `maxItems` ranges. */
  return async (
    { uid, from, to, area, sensitivity, maxItems }: MotionSearch,
    signal?: AbortSignal,
  ): Promise<MotionFound> => {
    const [items, coverage]: [Hit[], Covered[]] = [[], []]
    const recordings = await Promise.all([subOf(uid), uid].map(index.recording))
    const cells = cellsIn(area)
    const minimum = minLevel(sensitivity)
    for (let at = from; at < to; at += windowMs) {
      if (signal?.aborted === true) return { items, coverage, searchedUntil: at }
      const window = { from: at, to: Math.min(to, at + windowMs), cells, minimum }
      const [hits, pictures, sizes]: [Hit[], Covered[], Covered[]] = [[], [], []]
      for (const recording of recordings)
        if (recording !== undefined) hits.push(...(await byPicture(recording, window, pictures)))
      const covered: Covered[] = []
      joinCovered(covered, pictures)
      for (const gap of uncovered(window, covered, minGapMs)) {
        const isAfterIndex = covered.some((range) => range.to === gap.from)
        hits.push(...(await bySize(uid, { gap, isAfterIndex, sensitivity }, sizes)))
      }
      joinHits(items, hits)
      joinCovered(coverage, [...covered, ...sizes])
      const next = items[maxItems]
      if (next !== undefined) return { items: items.slice(0, maxItems), coverage, searchedUntil: next.from }
      if (coverage.length > maxItems) return { items, coverage, searchedUntil: window.to }
      await nextTurn()
    }
    return { items, coverage, searchedUntil: to }
  }
}
