import { makeBox } from './boxes.ts'
import {
  createRunLengths,
  fields,
  mediaHeader,
  movieTimescale,
  sampleTableBox,
  trackHeader,
  unity,
} from './movie-boxes.ts'

/** `start` in seconds of the movie. */
export type Chapter = { start: number; title: string }

/** The chapter of a recorded fragment, named by the time of its first picture, epoch milliseconds. */
export const chapterOf = (start: number, recordedAt: number): Chapter => ({
  start,
  title: new Date(recordedAt).toISOString(),
})

/** Its count has one byte. */
const maxListed = 255

/**
 * A list of chapters for `moov/udta`, of Nero: a fragmented file can't have a track of them, as this needs samples. It
 * has the first 255.
 */
export const chapterList = (chapters: readonly Chapter[]): Buffer => {
  const listed = chapters.slice(0, maxListed)
  const rows = listed.map(({ start, title }) => {
    const text = Buffer.from(title)
    return Buffer.concat([fields([8, Math.round(start * 10_000_000)], [1, text.length]), text])
  })
  return makeBox('chpl', fields([4, 0x1000000], [4, 0], [1, listed.length]), ...rows)
}

/** The sample description of a chapter's text: no style, and one font without a name. */
const description = (): Buffer =>
  makeBox(
    'stsd',
    fields([4, 0], [4, 1]),
    makeBox(
      'text',
      fields([4, 0], [2, 0], [2, 1], [4, 1], [2, 0], [4, 0], [8, 0], [4, 0], [2, 1], [2, 0], [4, 0]),
      makeBox('ftab', fields([2, 1], [2, 1], [1, 0])),
    ),
  )

/** The samples of the track: the titles of the chapters. */
export const chapterTexts = (chapters: readonly Chapter[]): Buffer[] =>
  chapters.map(({ title }) => {
    const text = Buffer.from(title)
    return Buffer.concat([fields([2, text.length]), text, makeBox('encd', fields([4, 0x100]))])
  })

/**
 * A text track with the titles of the chapters (QuickTime File Format, chapter lists), to which the video track refers.
 * `created`: epoch milliseconds; `from`: where its samples begin in the file, in bytes. The first chapter starts at 0.
 */
export const chapterTrack = (
  chapters: readonly Chapter[],
  { id, created, durationMs, from }: { id: number; created: number; durationMs: number; from: number },
): Buffer => {
  const sizes = chapterTexts(chapters).map(({ length }) => length)
  const starts = chapters.map(({ start }) => Math.round(start * movieTimescale))
  const durations = createRunLengths()
  for (const [index, start] of starts.entries()) durations.add(Math.max(1, (starts[index + 1] ?? durationMs) - start))
  const table = {
    sizes,
    durations: durations.runs,
    offsets: [],
    keyframes: undefined,
    chunks: [{ at: 0, samples: sizes.length }],
  }
  const gmin = makeBox('gmin', fields([4, 0], [2, 0x40], [2, 0x8000], [2, 0x8000], [2, 0x8000], [4, 0]))
  return makeBox(
    'trak',
    // In the movie, but not played.
    trackHeader(created, durationMs, { id, flags: 2 }),
    makeBox(
      'mdia',
      mediaHeader(created, movieTimescale, durationMs),
      makeBox('hdlr', fields([4, 0], 'mhlrtext', [8, 0], [4, 0], [1, 0])),
      makeBox(
        'minf',
        makeBox('gmhd', gmin, makeBox('text', unity)),
        makeBox('dinf', makeBox('dref', fields([4, 0], [4, 1]), makeBox('url ', fields([4, 1])))),
        sampleTableBox(description(), table, from),
      ),
    ),
  )
}
