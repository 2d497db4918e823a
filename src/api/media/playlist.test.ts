import { describe, expect, test } from 'vitest'
import { mediaTimeOf, readPlaylist, withHoldBack } from './playlist.ts'

const base = 'http://camera.test/v1/stream/gate/archive/recorded.m3u8?start_time=x'
const at = Date.UTC(2026, 10, 21, 8)
const playlist = (...lines: string[]) => ['#EXTM3U', '#EXT-X-TARGETDURATION:3', ...lines].join('\n')

describe('the dates of a playlist', () => {
  test('a multivariant playlist, or none, has none', () => {
    expect([readPlaylist('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmedia.m3u8', base), readPlaylist('<html>', base)]).toEqual([null, null])
  })

  test('each date starts anew; a segment without one follows', () => {
    const read = readPlaylist(
      playlist('#EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:00.000Z', '#EXTINF:2.5,', 'a.m4s', '#EXTINF:2,name', 'b.m4s', '#EXT-X-DISCONTINUITY', '#EXT-X-PROGRAM-DATE-TIME:2026-11-21T10:00:00.5+01:00', '#EXTINF:2,', '/c.m4s', '#EXT-X-ENDLIST'),
      base,
    )
    expect(read).toEqual({
      targetSeconds: 3,
      isComplete: true,
      holdBackSeconds: 0,
      hasBlockingReload: false,
      parts: [],
      segments: [
        { key: 'http://camera.test/v1/stream/gate/archive/a.m4s@0', durationSeconds: 2.5, utc: at },
        { key: 'http://camera.test/v1/stream/gate/archive/b.m4s@0', durationSeconds: 2, utc: at + 2500 },
        { key: 'http://camera.test/c.m4s@0', durationSeconds: 2, utc: at + 3_600_500 },
      ],
    })
  })

  test('a leading segment without a date precedes the first that has one', () => {
    const read = readPlaylist(playlist('#EXTINF:2,', 'a', '#EXTINF:3,', 'b', '#EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:05Z', '#EXTINF:2,', 'c'), base)
    expect(read?.segments.map(({ utc }) => utc)).toEqual([at, at + 2000, at + 5000])
  })

  test('without dates there are none', () => {
    expect(readPlaylist(playlist('#EXTINF:2,', 'a'), base)?.segments).toEqual([{ key: 'http://camera.test/v1/stream/gate/archive/a@0', durationSeconds: 2, utc: null }])
  })

  test('parts of one file are told apart by their first byte', () => {
    const read = readPlaylist(playlist('#EXTINF:2,', '#EXT-X-BYTERANGE:100@50', 'a', '#EXTINF:2,', '#EXT-X-BYTERANGE:80', 'a', '#EXTINF:2,', '#EXT-X-BYTERANGE:10', 'b'), base)
    expect(read?.segments.map(({ key }) => key.split('/').at(-1))).toEqual(['a@50', 'a@150', 'b@0'])
  })

  test('parts follow the date of their segment, that of one in the making too', () => {
    const read = readPlaylist(
      playlist('#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.08', '#EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:00Z', '#EXTINF:1,', 'a', '#EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:01Z', '#EXT-X-PART:DURATION=0.36,URI="p1",INDEPENDENT=YES', '#EXT-X-PART:URI="p2",DURATION=0.36', '#EXTINF:0.72,', 'b', '#EXT-X-PART:DURATION=0.4,URI="p3"', '#EXT-X-PART:DURATION=x,URI="p4"', '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="p5"'),
      'http://camera.test/',
    )
    expect(read?.segments.map(({ key, utc }) => [key, utc])).toEqual([['http://camera.test/a@0', at], ['http://camera.test/b@0', at + 1000]])
    expect([read?.holdBackSeconds, read?.hasBlockingReload]).toEqual([1.08, true])
    expect(read?.parts).toEqual([
      { key: 'http://camera.test/p1@0', durationSeconds: 0.36, utc: at + 1000 },
      { key: 'http://camera.test/p2@0', durationSeconds: 0.36, utc: at + 1360 },
      { key: 'http://camera.test/p3@0', durationSeconds: 0.4, utc: at + 1720 },
      { key: 'http://camera.test/p4@0', durationSeconds: 0, utc: at + 2120 },
    ])
  })

  test('nonsense where a number or a date belongs does no harm', () => {
    const read = readPlaylist(playlist('#EXT-X-PROGRAM-DATE-TIME:yesterday', '#EXTINF:long,', 'a', 'stray'), base)
    expect(read?.segments).toEqual([{ key: 'http://camera.test/v1/stream/gate/archive/a@0', durationSeconds: 0, utc: null }])
  })
})

test('a moment lies within its segment, in a gap at what follows, and nowhere but at zero without dates', () => {
  const segments = [
    { key: 'a', durationSeconds: 2, utc: 10_000 },
    { key: 'b', durationSeconds: 2, utc: 12_000 },
    { key: 'c', durationSeconds: 2, utc: 60_000 },
  ]
  expect([9000, 10_000, 11_500, 12_000, 14_000, 30_000, 60_000, 61_000, 90_000].map((utc) => mediaTimeOf(segments, utc))).toEqual([0, 0, 1.5, 2, 4, 4, 4, 5, 6])
  expect(mediaTimeOf([{ key: 'a', durationSeconds: 2, utc: null }], 5)).toBe(0)
})

test('a live playlist is given how far behind its end to play, beside what it says of its server', () => {
  expect(withHoldBack('#EXTM3U\n#EXTINF:1,\na.m4s\n', 0.4)).toBe('#EXTM3U\n#EXT-X-SERVER-CONTROL:HOLD-BACK=0.400\n#EXTINF:1,\na.m4s\n')
  expect(withHoldBack('#EXTM3U\r\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12,HOLD-BACK=6\r\n#EXTINF:1,\r\na.m4s', 0.4)).toBe(
    '#EXTM3U\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12,HOLD-BACK=0.400\n#EXTINF:1,\r\na.m4s',
  )
})
