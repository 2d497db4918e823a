import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ListedSegment } from '../../../server/archive/format/segment.ts'
import { createHourTexts } from '../../../server/archive/playback/hour-texts.ts'
import { recordedPlaylist } from '../../../server/archive/playback/recorded-playlist.ts'

/** Runs from 10 on are of the main recording, which fills in for the substream. */
const urls = {
  segment: ({ run, start }: ListedSegment) => `${run < 10 ? '' : '../'}recorded/${start}.m4s?silent=1`,
  init: (run: number) => `${run < 10 ? '' : '../'}init/${run}.mp4?silent=1`,
}

const written = async (...pages: readonly ListedSegment[][]): Promise<Buffer[]> => {
  const all = async function* () {
    yield* pages
  }
  return Array.fromAsync(recordedPlaylist(2, all(), { urls, kind: '', hourTexts: createHourTexts() }))
}

const textOf = async (...pages: readonly ListedSegment[][]): Promise<string> =>
  Buffer.concat(await written(...pages)).toString('latin1')

/** The same text, line by line. */
const expectedOf = (segments: readonly ListedSegment[]): string => {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:2', '#EXT-X-INDEPENDENT-SEGMENTS']
  lines.push('#EXT-X-PLAYLIST-TYPE:VOD', '#EXT-X-MEDIA-SEQUENCE:0')
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1]
    const isOtherRun = before?.run !== segment.run
    const isGap = before !== undefined && Math.abs(segment.start - before.finish) >= 500
    if (isGap || (before !== undefined && isOtherRun)) lines.push('#EXT-X-DISCONTINUITY')
    if (isOtherRun) lines.push(`#EXT-X-MAP:URI="${urls.init(segment.run)}"`)
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.start).toISOString()}`)
    lines.push(`#EXTINF:${segment.duration.toFixed(6)},`, urls.segment(segment))
  }
  return [...lines, '#EXT-X-ENDLIST', ''].join('\n')
}

const t0 = Date.parse('2026-11-21T08:00:58.500Z')

test('a playlist of the archive has dates, gaps, runs and the main recording where the substream lacks', async () => {
  const segments = [
    { start: t0, finish: t0 + 1000, duration: 1, run: 3 },
    { start: t0 + 1000, finish: t0 + 2033, duration: 1.033_333_4, run: 3 },
    { start: t0 + 2030, finish: t0 + 14_030, duration: 12, run: 3 },
    { start: t0 + 14_530, finish: t0 + 15_530, duration: 1, run: 3 },
    { start: t0 + 15_530, finish: t0 + 16_530, duration: 1, run: 4 },
    { start: t0 + 3_600_000, finish: t0 + 3_601_000, duration: 1, run: 12 },
  ]
  const text = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-MAP:URI="init/3.mp4?silent=1"
#EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:58.500Z
#EXTINF:1.000000,
recorded/1795248058500.m4s?silent=1
#EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:59.500Z
#EXTINF:1.033333,
recorded/1795248059500.m4s?silent=1
#EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:01:00.530Z
#EXTINF:12.000000,
recorded/1795248060530.m4s?silent=1
#EXT-X-DISCONTINUITY
#EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:01:13.030Z
#EXTINF:1.000000,
recorded/1795248073030.m4s?silent=1
#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="init/4.mp4?silent=1"
#EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:01:14.030Z
#EXTINF:1.000000,
recorded/1795248074030.m4s?silent=1
#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="../init/12.mp4?silent=1"
#EXT-X-PROGRAM-DATE-TIME:2026-11-21T09:00:58.500Z
#EXTINF:1.000000,
../recorded/1795251658500.m4s?silent=1
#EXT-X-ENDLIST
`
  expect(await textOf(segments)).toBe(text)
  expect(expectedOf(segments)).toBe(text)
})

const moment = fc.oneof(
  fc.integer({ min: Date.parse('2001-01-01T00:00:00Z'), max: Date.parse('2099-12-31T23:59:59Z') }),
  fc.integer({ min: 0, max: 2_000_000 }),
  fc.constantFrom(0, 1e12 - 1, 1e12, 1e13 - 1, 1e13),
)
const duration = fc.oneof(fc.constantFrom(1, 2), fc.double({ min: 0.04, max: 70, noNaN: true }))
const piece = fc.record({
  duration,
  run: fc.constantFrom(1, 2, 2 ** 52, 11),
  gap: fc.constantFrom(0, 0, 0, -5, 499, 500, 60_000),
})

test('whatever the segments and pages, the playlist is the same text byte by byte', async () => {
  await fc.assert(
    fc.asyncProperty(moment, fc.array(piece, { maxLength: 60 }), fc.nat(60), async (from, pieces, cut) => {
      let at = from
      const segments = pieces.map(({ duration: seconds, run, gap }) => {
        const start = at + gap
        at = start + Math.round(seconds * 1000)
        return { start, finish: at, duration: seconds, run }
      })
      const firsts = segments.filter(({ start }) => start >= 0)
      expect(await textOf(firsts.slice(0, cut), firsts.slice(cut))).toBe(expectedOf(firsts))
    }),
  )
})

test('a long playlist comes in pieces, and no piece is too long', async () => {
  const segments = Array.from({ length: 20_000 }, (_, index) => {
    const start = t0 + index * 1000
    return { start, finish: start + 1000, duration: 1 + (index % 1500) / 10_000, run: Math.floor(index / 100) % 3 }
  })
  const pieces = await written(segments)
  expect(Buffer.concat(pieces).toString('latin1')).toBe(expectedOf(segments))
  expect(pieces.length).toBeGreaterThan(5)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024)
})
