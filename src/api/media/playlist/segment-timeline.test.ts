import { describe, expect, test } from 'vitest'
import { mapSegments } from './segment-timeline.ts'

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
