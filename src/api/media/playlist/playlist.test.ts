import { describe, expect, test } from 'vitest'
import { timelineSegments } from './timeline-segments.ts'
import { dateOf, mediaTimeOf, readPlaylist, recordedUpTo, withHoldBack, segmentStartBefore } from './playlist.ts'

const at = Date.UTC(2026, 10, 21, 8)
const playlist = (...lines: string[]) => ['#EXTM3U', '#EXT-X-TARGETDURATION:3', ...lines].join('\n')
const date = (offset: number) => `#EXT-X-PROGRAM-DATE-TIME:${new Date(at + offset).toISOString()}`
/** The URLs of the segments. */
const urlsOf = (text = '') => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
/** A playlist without tags of its own. */
const plain = {
  isComplete: false,
  partSeconds: 0,
  holdBackSeconds: 0,
  growthSeconds: 0,
  hasBlockingReload: false,
  hasParts: false,
}

describe('the dates of a playlist', () => {
  test('a multivariant playlist, or another text, is not read', () => {
    expect(['#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmedia.m3u8', '<html>'].map(readPlaylist)).toEqual([null, null])
  })

  test('each date applies from its segment on, and every URL gets its date', () => {
    const moved = '#EXT-X-PROGRAM-DATE-TIME:2026-11-21T10:00:00.5+01:00'
    const lines = (a: string, b: string, c: string) =>
      playlist(
        date(0),
        '#EXTINF:2.5,',
        a,
        '#EXTINF:2,name',
        b,
        '#EXT-X-DISCONTINUITY',
        moved,
        '#EXTINF:2,',
        c,
        '#EXT-X-ENDLIST',
      )
    expect(readPlaylist(lines('a.m4s', 'b.m4s?x=1', '/c.m4s#t=2'))).toEqual({
      ...plain,
      isComplete: true,
      segments: [
        { durationSeconds: 2.5, utc: at },
        { durationSeconds: 2, utc: at + 2500 },
        { durationSeconds: 2, utc: at + 3_600_500 },
      ],
      dated: lines(`a.m4s#utc=${at}`, `b.m4s?x=1#utc=${at + 2500}`, `/c.m4s#utc=${at + 3_600_500}`),
    })
  })

  test('leading segments without a date count back from the first date', () => {
    const read = readPlaylist(playlist('#EXTINF:2,', 'a', '#EXTINF:3,', 'b', date(5000), '#EXTINF:2,', 'c'))
    expect(read?.segments.map(({ utc }) => utc)).toEqual([at, at + 2000, at + 5000])
    expect(urlsOf(read?.dated)).toEqual([`a#utc=${at}`, `b#utc=${at + 2000}`, `c#utc=${at + 5000}`])
  })

  test('a playlist without dates has none', () => {
    const text = playlist('#EXTINF:2,', 'a#here')
    expect(readPlaylist(text)).toEqual({ ...plain, segments: [{ durationSeconds: 2, utc: null }], dated: text })
  })

  test('a URL that is listed several times gets the date of each segment', () => {
    const read = readPlaylist(
      playlist(
        date(0),
        '#EXTINF:2,',
        'slate.m4s',
        '#EXTINF:2,',
        'b.m4s',
        '#EXT-X-DISCONTINUITY',
        date(29 * 60_000),
        '#EXTINF:2,',
        'slate.m4s',
        '#EXTINF:2,',
        '#EXT-X-BYTERANGE:100@0',
        'one.mp4',
        '#EXTINF:2,',
        '#EXT-X-BYTERANGE:100',
        'one.mp4',
        '#EXT-X-DISCONTINUITY',
        date(3_600_000),
        '#EXTINF:2,',
        '#EXT-X-BYTERANGE:100@0',
        'one.mp4',
      ),
    )
    expect(urlsOf(read?.dated).map((line) => [line.split('#')[0], (dateOf(line) ?? 0) - at])).toEqual([
      ['slate.m4s', 0],
      ['b.m4s', 2000],
      ['slate.m4s', 29 * 60_000],
      ['one.mp4', 29 * 60_000 + 2000],
      ['one.mp4', 29 * 60_000 + 4000],
      ['one.mp4', 3_600_000],
    ])
  })

  test('parts have the date of their segment, also of an unfinished one; a hinted map has none', () => {
    const read = readPlaylist(
      playlist(
        '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.08',
        date(0),
        '#EXTINF:1,',
        'a',
        date(1000),
        '#EXT-X-PART:DURATION=0.36,URI="p1",INDEPENDENT=YES',
        '#EXT-X-PART:URI="all",BYTERANGE="9@0",DURATION=0.36',
        '#EXTINF:0.72,',
        'b',
        '#EXT-X-PART:DURATION=0.4,URI="all",BYTERANGE="9"',
        '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="p4"',
        '#EXT-X-PRELOAD-HINT:TYPE=MAP,URI="m"',
      ),
    )
    expect(read?.segments.map(({ utc }) => utc)).toEqual([at, at + 1000])
    expect([read?.holdBackSeconds, read?.hasBlockingReload, read?.hasParts]).toEqual([1.08, true, true])
    expect(read?.growthSeconds).toBe(0)
    expect([...(read?.dated ?? '').matchAll(/URI="([^"]*)"/g)].map((match) => match[1])).toEqual([
      `p1#utc=${at + 1000}`,
      `all#utc=${at + 1000}`,
      `all#utc=${at + 1720}`,
      `p4#utc=${at + 1720}`,
      'm',
    ])
  })

  test('invalid numbers and dates are ignored', () => {
    const text = playlist('#EXT-X-PROGRAM-DATE-TIME:yesterday', '#EXTINF:long,', 'a', 'stray')
    expect(readPlaylist(text)).toEqual({ ...plain, segments: [{ durationSeconds: 0, utc: null }], dated: text })
  })

  test('a plain URL has no date', () => {
    expect(['a.m4s', 'a.m4s#utc=', 'a.m4s#utc=1#x', 'a.m4s?utc=1'].map(dateOf)).toEqual([null, null, null, null])
    expect(dateOf('a.m4s#utc=1763712000123.5')).toBe(1_763_712_000_123.5)
  })
})

describe('segments of the engine', () => {
  const reference = (from: number, to: number, url: string) => ({
    getStartTime: () => from,
    getEndTime: () => to,
    getUris: () => [`http://a.b/${url}`],
  })

  test('each has its own date, also with the same URL', () => {
    const again = reference(2, 4, `s#utc=${at + 60_000}`)
    expect(timelineSegments([reference(0, 2, `s#utc=${at}`), null, again, reference(4, 6, 's')])).toEqual([
      { media: 0, duration: 2, utc: at },
      { media: 2, duration: 2, utc: at + 60_000 },
      { media: 4, duration: 2, utc: null },
    ])
  })

  test('parts follow each other within their segment', () => {
    const [first, second] = [reference(10, 10.5, `s#utc=${at}`), reference(10.5, 11, `t#utc=${at}`)]
    const segments = timelineSegments([first, second, reference(11, 12, `t#utc=${at + 1000}`)])
    expect(segments.map(({ utc }) => utc)).toEqual([at, at + 500, at + 1000])
  })
})

test('a moment is within its segment, in a gap at the end of the gap, without dates at zero', () => {
  const segments = [
    { durationSeconds: 2, utc: 10_000 },
    { durationSeconds: 2, utc: 12_000 },
    { durationSeconds: 2, utc: 60_000 },
  ]
  expect(
    [9000, 10_000, 11_500, 12_000, 14_000, 30_000, 60_000, 61_000, 90_000].map((utc) => mediaTimeOf(segments, utc)),
  ).toEqual([0, 0, 1.5, 2, 4, 4, 4, 5, 6])
  expect(mediaTimeOf([{ durationSeconds: 2, utc: null }], 5)).toBe(0)
})

test('what is recorded before a moment ends there, or where the gap before it begins', () => {
  const segments = [
    { durationSeconds: 2, utc: 10_000 },
    { durationSeconds: 2, utc: 12_000 },
    { durationSeconds: 2, utc: 60_000 },
  ]
  expect(
    [9000, 10_000, 11_500, 12_000, 14_000, 30_000, 60_000, 61_000].map((utc) => recordedUpTo(segments, utc)),
  ).toEqual([9000, 10_000, 11_500, 12_000, 14_000, 14_000, 14_000, 61_000])
  expect(recordedUpTo([{ durationSeconds: 2, utc: null }], 5)).toBe(5)
})

test('the last segment that begins before a moment', () => {
  const segments = [
    { durationSeconds: 2, utc: 10_000 },
    { durationSeconds: 2, utc: 12_000 },
    { durationSeconds: 3, utc: 60_000 },
  ]
  expect(
    [9000, 10_000, 11_000, 12_000, 12_001, 30_000, 60_000, 61_000, 90_000].map((utc) =>
      segmentStartBefore(segments, utc),
    ),
  ).toEqual([0, 0, 0, 0, 2, 2, 2, 4, 4])
})

test('HOLD-BACK is set beside the other server controls', () => {
  expect(withHoldBack('#EXTM3U\n#EXTINF:1,\na.m4s\n', 0.4)).toBe(
    '#EXTM3U\n#EXT-X-SERVER-CONTROL:HOLD-BACK=0.400\n#EXTINF:1,\na.m4s\n',
  )
  expect(
    withHoldBack('#EXTM3U\r\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12,HOLD-BACK=6\r\n#EXTINF:1,\r\na.m4s', 0.4),
  ).toBe('#EXTM3U\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12,HOLD-BACK=0.400\n#EXTINF:1,\r\na.m4s')
  const lowLatency = (holdBack: string) => `#EXTM3U\n#EXT-X-SERVER-CONTROL:HOLD-BACK=6,${holdBack}\n#EXTINF:1,\na.m4s\n`
  expect(withHoldBack(lowLatency('PART-HOLD-BACK=0.720'), -1.28, 'PART-HOLD-BACK')).toBe(
    lowLatency('PART-HOLD-BACK=-1.280'),
  )
})
