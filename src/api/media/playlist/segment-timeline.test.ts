import { describe, expect, test } from 'vitest'
import { createSegmentTimeline, mapSegments } from './segment-timeline.ts'

describe('dates that are missing or wrong', () => {
  const from = Date.UTC(2026, 10, 21, 8)
  const source = { kind: 'archive', uid: 'gate', from, to: from + 60_000 } as const
  const segments = (utc: number | null) => [
    { media: 0, duration: 2, utc },
    { media: 2, duration: 2, utc: utc === null ? null : utc + 2000 },
  ]

  test('an archive starts at the requested moment', () => {
    expect(mapSegments(segments(null), source, 0)?.toUtc(1)).toBe(from + 1000)
    expect(mapSegments(segments(0), source, 0)?.toUtc(1)).toBe(from + 1000)
    expect(mapSegments(segments(from - 1500), source, 0)?.toUtc(1)).toBe(from - 500)
  })

  test('live ends now', () => {
    expect(mapSegments(segments(null), { kind: 'live', uid: 'gate' }, from)?.toUtc(4)).toBe(from)
    expect(mapSegments([], source, 0)).toBeNull()
  })
})

test('live goes back to the first segment that is listed, and what has left the list keeps its date for a while', () => {
  const timeline = createSegmentTimeline(() => 0)
  const source = { kind: 'live', uid: 'gate' } as const
  const segmentAt = (media: number, duration = 2) => ({ media, duration, utc: 1_000_000 + media * 1001 })
  const listed = (from: number) => [from, from + 2, from + 4].map((media) => segmentAt(media))
  for (let from = 0; from <= 200; from += 2)
    timeline.refresh([...listed(from), segmentAt(from + 6, 0.5), segmentAt(from + 6.5, 0.5)], source, 0)
  const map = timeline.map()
  expect([map?.from, map?.toUtc(200), map?.toUtc(80), map?.toMedia(1_080_080)]).toEqual([
    1_200_200, 1_200_200, 1_080_080, 80,
  ])
  // Before that, by the oldest one that is known.
  expect([map?.toUtc(78), map?.toMedia(1_078_078)]).toEqual([1_078_080, null])
})

test('the date of a segment is that of its first frame, wherever the player positions the segment', () => {
  const timeline = createSegmentTimeline((media) => (media < 2.08 ? 0.08 : 0.12))
  timeline.refresh(
    [
      { media: 0, duration: 2, utc: 10_000 },
      { media: 2, duration: 2, utc: 12_000 },
    ],
    { kind: 'live', uid: 'gate' },
    0,
  )
  const map = timeline.map()
  expect([0.08, 2.04, 2.12].map((media) => Math.round(map?.toUtc(media) ?? 0))).toEqual([10_000, 11_960, 12_000])
  expect([map?.toMedia(10_000), map?.toMedia(13_000), map?.toMedia(20_000)]).toEqual([0.08, 3.12, null])
  expect([map?.from, map?.to]).toEqual([10_000, 14_000])
})
