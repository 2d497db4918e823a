import { expect, test } from 'vitest'
import { isLeadingGap, leadingGapSeconds, withLeadingGap } from './leading-gap.ts'
import { timelineSegments } from './timeline-segments.ts'
import { readPlaylist } from './playlist.ts'

const gap = `#EXT-X-GAP\n#EXTINF:${leadingGapSeconds},\ngap.m4s#leading-gap\n`
const header = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-DISCONTINUITY-SEQUENCE:1\n'

test.each([
  ['its initialization segment', '#EXT-X-MAP:URI="i.mp4"\n#EXT-X-KEY:METHOD=NONE\n#EXTINF:2,\na.m4s\n'],
  ['a discontinuity', '#EXT-X-DISCONTINUITY\n#EXTINF:2,\na.m4s\n'],
  ['its length', '#EXTINF:2,\na.m4s\n#EXT-X-DISCONTINUITY\n#EXTINF:2,\nb.m4s\n'],
])('the gap comes after the tags of the whole playlist, before the first segment and %s', (_, segments) => {
  expect(withLeadingGap(header + segments)).toBe(header + gap + segments)
})

test('the gap has no date in its URL', () => {
  const [first] = readPlaylist(withLeadingGap(`${header}#EXTINF:2,\na.m4s\n`))?.segments ?? []
  expect(first).toEqual({ durationSeconds: leadingGapSeconds, utc: null })
  expect(['https://a.b/v1/gap.m4s#leading-gap', 'https://a.b/v1/a.m4s#utc=1'].map(isLeadingGap)).toEqual([true, false])
})

test('the gap is not placed as a segment', () => {
  const reference = (start: number, end: number, uri: string) => ({
    getStartTime: () => start,
    getEndTime: () => end,
    getUris: () => [uri],
  })
  const segments = timelineSegments([
    reference(0, 4, 'https://a.b/gap.m4s#leading-gap'),
    reference(4, 6, 'a.m4s#utc=1000'),
  ])
  expect(segments).toEqual([{ media: 4, duration: 2, utc: 1000 }])
})
