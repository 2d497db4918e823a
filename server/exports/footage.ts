import type { TimeRange } from '../../src/api/contract/time-range.ts'
import {
  haveOtherParameterSets,
  joinedSegments,
  soundAhead,
  soundKindOf,
  type JoinedSegment,
} from '../archive/playback/download.ts'
import type { Run } from '../archive/format/run.ts'
import { createFragmentCheck, gapToleranceMs, type Segment } from '../archive/format/segment.ts'
import { chapterOf } from '../media/chapters.ts'
import { isH265, type Init } from '../media/init.ts'
import { createMovie, samplesOf, type MovieTexts, type SampleBatch } from '../media/movie.ts'
import { ExportFailed } from './export-failed.ts'

/**
 * Consecutive recordings that one file can hold: of one codec and one kind of sound. `head`: the first run; `count`: of
 * their segments.
 */
export type RunGroup = {
  head: Run
  runs: Map<number, Run>
  firstStart: number
  lastStart: number
  bytes: number
  count: number
}

export type Footage = { groups: RunGroup[]; gaps: TimeRange[] }

/** Reads the recordings of one stream. */
export type FootageReader = {
  pages: (from: number, to: number) => AsyncGenerator<Segment[]>
  runOf: (id: number) => Promise<Run | undefined>
  read: (segment: Segment) => Promise<Buffer>
}

const kindOf = (run: Run): string => `${isH265(run.init.video)} ${soundKindOf(run)}`

/** What is recorded of a range, in groups, and the gaps. */
export const findFootage = async ({ pages, runOf }: FootageReader, { from, to }: TimeRange): Promise<Footage> => {
  const groups: RunGroup[] = []
  const gaps: TimeRange[] = []
  const runs = new Map<number, Run>()
  let recordedUntil = from
  for await (const page of pages(from, to)) {
    for (const { run: id, start, finish, bytes } of page) {
      const run = runs.get(id) ?? (await runOf(id))
      if (run === undefined) continue
      runs.set(id, run)
      if (start - recordedUntil > gapToleranceMs) gaps.push({ from: recordedUntil, to: start })
      recordedUntil = Math.max(recordedUntil, finish)
      const last = groups.at(-1)
      if (last === undefined || kindOf(last.head) !== kindOf(run))
        groups.push({ head: run, runs: new Map([[id, run]]), firstStart: start, lastStart: start, bytes, count: 1 })
      else {
        last.runs.set(id, run)
        last.lastStart = start
        last.bytes += bytes
        last.count += 1
      }
    }
  }
  if (to - recordedUntil > gapToleranceMs) gaps.push({ from: recordedUntil, to })
  return { groups, gaps }
}

/** The segments of a group up to a moment, moved to follow one another without gaps. */
export const segmentsOf = async function* (
  reader: FootageReader,
  group: RunGroup,
  to: number,
): AsyncGenerator<JoinedSegment> {
  const { head, runs, firstStart, lastStart } = group
  let left = group.count
  const within = async function* () {
    for await (const page of reader.pages(firstStart, to)) {
      for (const segment of page) {
        if (segment.start < firstStart || segment.start > lastStart || !runs.has(segment.run)) continue
        left -= 1
        yield segment
      }
    }
  }
  const withParameters = [...runs.values()].some((run) => haveOtherParameterSets(run, head))
  const beginning = head.hasSound ? soundAhead : 0
  yield* joinedSegments(within(), { runs, beginning, withoutSound: false, withParameters, read: reader.read })
  // Retention has deleted some since they were found: the manifest's gaps would be wrong.
  if (left > 0) throw new ExportFailed('RECORDINGS_GONE')
}

/**
 * The samples of a segment that are shown before `to`. The first segment may begin before the range, with a keyframe.
 */
const samplesBefore = (init: Init, { segment, shown, bytes }: JoinedSegment, to: number): SampleBatch[] =>
  samplesOf(bytes, init, segment.finish > to ? shown + (to - segment.start) / 1000 : Infinity)

/** An MP4 file. */
export type Movie = {
  /** Its boxes before the media. */
  head: Buffer
  /** Its length. */
  bytes: number
  /** When the first and the last picture were taken, epoch milliseconds. */
  first: number
  last: number
  frames: number
  data: () => AsyncGenerator<Buffer>
}

/**
 * An MP4 of segments, which are read twice: to write the head, and by `data`. Undefined if they have no pictures. A
 * chapter begins after each gap.
 */
export const movieOf = async (
  init: Init,
  segments: () => AsyncGenerator<JoinedSegment>,
  to: number,
  titles: Pick<MovieTexts, 'name' | 'tool'>,
): Promise<Movie | undefined> => {
  const writer = createMovie(init)
  const fragments: { start: number; shown: number }[] = []
  const isFirstOfFragment = createFragmentCheck()
  let newest: { start: number; shown: number } | undefined
  for await (const joined of segments()) {
    const { segment, shown } = joined
    writer.add(samplesBefore(init, joined, to))
    if (isFirstOfFragment(segment)) fragments.push({ start: segment.start, shown })
    newest = { start: segment.start, shown }
  }
  const [begin] = fragments
  if (newest === undefined || begin === undefined || writer.frames() === 0) return undefined
  const first = Math.round(begin.start + (writer.firstShown() - begin.shown) * 1000)
  const last = Math.round(newest.start + (writer.lastShown() - newest.shown) * 1000)
  const chapters = fragments.map(({ start, shown }) => chapterOf(Math.max(0, shown - writer.firstShown()), start))
  const { head, bytes } = writer.head({ ...titles, date: new Date(first).toISOString(), created: first, chapters })
  const data = async function* (): AsyncGenerator<Buffer> {
    let done = head.length
    for await (const joined of segments()) {
      const samples = Buffer.concat(samplesBefore(init, joined, to).flatMap(({ data }) => data))
      done += samples.length
      yield samples
    }
    // Retention has deleted some since they were read for the head.
    if (done < bytes) throw new ExportFailed('RECORDINGS_GONE')
  }
  return { head, bytes, first, last, frames: writer.frames(), data }
}
