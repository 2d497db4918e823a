import { describe, expect, test } from 'vitest'
import { entriesOfInit, entriesOfPlaylist, isPlayable, refusedCodec } from './codecs.ts'

/** A browser that plays codecs with these prefixes. */
const browserOf =
  (...prefixes: readonly string[]) =>
  (type: string) =>
    prefixes.some((prefix) => type.includes(`codecs="${prefix}`))

describe("codecs that a browser can't play", () => {
  test('are found by their usual names', () => {
    const entries = [
      'avc1',
      'avc3',
      'hvc1',
      'hev1',
      'vvc1',
      'av01',
      'vp08',
      'vp09',
      'mp4v',
      'mp4a',
      'ac-3',
      'ec-3',
      'Opus',
    ]
    expect(entries.map((entry) => refusedCodec([entry], browserOf()))).toEqual([
      'H.264',
      'H.264',
      'H.265',
      'H.265',
      'H.266',
      'AV1',
      'VP8',
      'VP9',
      'MPEG-4',
      'AAC',
      'AC-3',
      'E-AC-3',
      'Opus',
    ])
  })

  test('the first unplayable one is named, video before audio', () => {
    expect(refusedCodec(['mp4a', 'hvc1'], browserOf('avc1', 'mp4a'))).toBe('H.265')
    expect(refusedCodec(['avc1', 'mp4a'], browserOf('hvc1'))).toBe('H.264')
    expect(refusedCodec(['avc1', 'ac-3'], browserOf('avc1'))).toBe('AC-3')
  })

  test('no name if all are playable or unknown', () => {
    expect(refusedCodec(['avc1', 'mp4a'], browserOf('avc1', 'mp4a'))).toBeNull()
    expect(refusedCodec(['encv', 'toString'], browserOf())).toBeNull()
    expect(refusedCodec([], browserOf())).toBeNull()
  })
})

test('reads the codecs of a multivariant playlist', () => {
  const text = [
    '#EXTM3U',
    '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="hvc1.1.6.L93.B0, mp4a.40.2",RESOLUTION=1x1',
    'a.m3u8',
    '#EXT-X-STREAM-INF:CODECS="avc1.42E01E"',
    'b.m3u8',
    '#EXT-X-STREAM-INF:BANDWIDTH=1,SUPPLEMENTAL-CODECS="dvh1.08.07/db4h",CODECS="hev1.2.4.L153"',
    'c.m3u8',
    '',
  ].join('\n')
  expect(entriesOfPlaylist(text)).toEqual(['hvc1', 'mp4a', 'avc1', 'hev1'])
  expect(entriesOfPlaylist('#EXTM3U\n#EXTINF:2,\na.m4s\n')).toEqual([])
})

test('reads the sample entry of each track of an initialization segment', () => {
  const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)
  const stsd = (entry: string) => [...Buffer.from('stsd'), ...zeros(8 + 4), ...Buffer.from(entry), 0xff, 0xfe]
  expect(entriesOfInit(Uint8Array.from([...zeros(4), ...stsd('hvc1'), ...zeros(4), ...stsd('mp4a')]))).toEqual([
    'hvc1',
    'mp4a',
  ])
  expect(entriesOfInit(new ArrayBuffer(7))).toEqual([])
})

test('checks a codec by name, or by its whole codec string', () => {
  const plays = browserOf('avc1.42E01E', 'avc1.640028')
  const codecs = [
    '',
    'h264',
    'H.264',
    'avc1',
    'avc1.640028',
    'avc1.7A0028',
    'hevc',
    'H.265',
    'hvc1.1.6.L93.B0',
    'mjpeg',
  ]
  expect(codecs.filter((codec) => isPlayable(codec, plays))).toEqual([
    '',
    'h264',
    'H.264',
    'avc1',
    'avc1.640028',
    'mjpeg',
  ])
})
