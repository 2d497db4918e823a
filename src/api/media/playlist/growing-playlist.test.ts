import { describe, expect, test } from 'vitest'
import { asGrowing, withEnd } from './growing-playlist.ts'

const to = Date.UTC(2026, 10, 21, 8, 0, 30)

describe("the playlist of a range that isn't over yet", () => {
  test.each([
    [
      'http://a.b/v1/s/index.m3u8?start_time=x&end_time=y',
      'http://a.b/v1/s/index.m3u8?start_time=x&end_time=2026-11-21T08%3A00%3A30.000Z',
    ],
    ['http://a.b/v1/s/7.m3u8', null],
    ['index.m3u8?end_time=y', null],
  ])('%s gets a later end', (url, expected) => {
    expect(withEnd(url, to)).toBe(expected)
  })

  test.each([
    [
      '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:2,\na.m4s\n#EXT-X-ENDLIST\n',
      '#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-VERSION:7\n#EXTINF:2,\na.m4s\n',
    ],
    [
      '#EXTM3U\r\n#EXTINF:2,\r\na.m4s\r\n#EXT-X-ENDLIST',
      '#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:2,\r\na.m4s\r\n',
    ],
  ])('has no end marker', (text, expected) => {
    expect(asGrowing(text)).toBe(expected)
  })
})
