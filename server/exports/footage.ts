import type { TimeRange } from '../../src/api/contract/time-range.ts'
import { differ, joinedSegments, soundAhead, soundKindOf } from '../archive/download.ts'
import type { Run } from '../archive/run.ts'
import { gapToleranceMs, type Segment } from '../archive/segment.ts'
import { isH265, type Init } from '../media/init.ts'
import { createMovie, samplesOf, type MovieTexts, type SampleBatch } from '../media/movie.ts'

/** What one file can hold: runs of one codec, and of one kind of sound. */
export type Group = { head: Run; runs: Map<number, Run>; firstStart: number; lastStart: number; bytes: number }

export type Recorded = { groups: Group[]; gaps: TimeRange[] }

export type Reader = {
  pages: (from: number, to: number) => AsyncGenerator<Segment[]>
  runOf: (id: number) => Promise<Run | undefined>
  read: (segment: Segment) => Promise<Buffer>
}

const kindOf = (run: Run): string => `${isH265(run.init.video)} ${soundKindOf(run)}`

/** What is recorded of a range, by what one file can hold, and where nothing is. */
export const findFootage = async ({ pages, runOf }: Reader, { from, to }: TimeRange): Promise<Recorded> => {
  const groups: Group[] = []
  const gaps: TimeRange[] = []
  const known = new Map<number, Run>()
  let until = from
  for await (const page of pages(from, to)) {
    for (const { run: id, start, finish, bytes } of page) {
      const run = known.get(id) ?? (await runOf(id))
      if (run === undefined) continue
      known.set(id, run)
      if (start - until > gapToleranceMs) gaps.push({ from: until, to: start })
      until = Math.max(until, finish)
      const last = groups.at(-1)
      if (last === undefined || kindOf(last.head) !== kindOf(run))
        groups.push({ head: run, runs: new Map([[id, run]]), firstStart: start, lastStart: start, bytes })
      else {
        last.runs.set(id, run)
        last.lastStart = start
        last.bytes += bytes
      }
    }
  }
  if (to - until > gapToleranceMs) gaps.push({ from: until, to })
  return { groups, gaps }
}

/** A segment as a file takes it: `shown` is where its first picture stands, seconds of media time. */
export type Piece = { segment: Pick<Segment, 'start' | 'finish'>; run: Run; shown: number; bytes: Buffer }

/** The segments of a group, one after the other without gaps. */
export const piecesOf = async function* (reader: Reader, group: Group, to: number): AsyncGenerator<Piece> {
  const { head, runs, firstStart, lastStart } = group
  const within = async function* () {
    for await (const page of reader.pages(firstStart, to)) {
      yield* page.filter(({ start }) => start >= firstStart && start <= lastStart)
    }
  }
  const isChanging = [...runs.values()].some((run) => differ(run, head))
  const beginning = head.hasSound ? soundAhead : 0
  yield* joinedSegments(within(), { runs, beginning, silent: false, isChanging, read: reader.read })
}

/** What is shown before a moment: the first picture may be a keyframe before the range, and the end is exact. */
const batchesOf = (init: Init, { segment, shown, bytes }: Piece, to: number): SampleBatch[] =>
  samplesOf(bytes, init, segment.finish > to ? shown + (to - segment.start) / 1000 : Infinity)

export type Movie = {
  head: Buffer
  bytes: number
  /** When the first and the last picture were taken. */
  first: number
  last: number
  frames: number
  data: () => AsyncGenerator<Buffer>
}

/** An MP4 of pieces that can be read twice; undefined if they have no pictures. A chapter begins after each gap. */
export const movieOf = async (
  init: Init,
  pieces: () => AsyncGenerator<Piece>,
  to: number,
  titles: Pick<MovieTexts, 'name' | 'tool'>,
): Promise<Movie | undefined> => {
  const writer = createMovie(init)
  const fragments: { start: number; shown: number }[] = []
  let until = -Infinity
  let newest: { start: number; shown: number } | undefined
  for await (const piece of pieces()) {
    const { segment, shown } = piece
    writer.add(batchesOf(init, piece, to))
    if (segment.start - until > gapToleranceMs) fragments.push({ start: segment.start, shown })
    until = Math.max(until, segment.finish)
    newest = { start: segment.start, shown }
  }
  const [begin] = fragments
  if (newest === undefined || begin === undefined || writer.frames() === 0) return undefined
  const first = Math.round(begin.start + (writer.firstShown() - begin.shown) * 1000)
  const last = Math.round(newest.start + (writer.lastShown() - newest.shown) * 1000)
  const chapters = fragments.map(({ start, shown }) => ({
    start: Math.max(0, shown - writer.firstShown()),
    title: new Date(start).toISOString(),
  }))
  const { head, bytes } = writer.head({ ...titles, date: new Date(first).toISOString(), created: first, chapters })
  const data = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of pieces()) {
      yield Buffer.concat(batchesOf(init, piece, to).flatMap((taken) => taken.data))
    }
  }
  return { head, bytes, first, last, frames: writer.frames(), data }
}
