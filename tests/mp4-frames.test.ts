import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { boxesIn } from '../server/media/boxes.ts'
import { createFrameReader } from '../src/api/media/frames/frame-reader.ts'
import { createFrameTable } from '../src/api/media/frames/frame-table.ts'
import { readFrameOffsets, readTracks } from '../src/api/media/frames/mp4-frames.ts'

/** Frames of `seconds` from ffmpeg itself, cut as a server does: the head, then one moof and mdat after another. */
const made = (...more: string[]) => {
  const bytes = execFileSync(
    'ffmpeg',
    [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=64x48:r=25:d=2',
      ...more,
      '-c:v',
      'libx264',
      '-g',
      '25',
      '-sc_threshold',
      '0',
      '-f',
      'mp4',
      '-movflags',
      '+frag_keyframe+empty_moov+delay_moov+default_base_moof',
      'pipe:1',
    ],
    { maxBuffer: 8_000_000 },
  )
  const boxes = boxesIn(bytes)
  const moofs = boxes.filter(({ type }) => type === 'moof')
  const [first] = moofs
  if (first === undefined) throw new Error('nothing was made')
  const segments = moofs.map(({ start }, index) => bytes.subarray(start, moofs[index + 1]?.start ?? bytes.length))
  return { init: bytes.subarray(0, first.start), segments }
}

const offsetsOf = ({ init, segments }: ReturnType<typeof made>): string[][] => {
  const tracks = readTracks(init)
  if (tracks === undefined) throw new Error('no tracks')
  return segments
    .slice(0, 2)
    .map((segment) => (readFrameOffsets(segment, tracks) ?? []).map((offset) => offset.toFixed(3)))
}

const everyFrame = (shift = 0) => Array.from({ length: 25 }, (_, index) => (index / 25 + shift).toFixed(3))

describe("a segment's frames", () => {
  test('begin where its runs say', () => {
    expect(offsetsOf(made('-bf', '0'))).toEqual([everyFrame(), everyFrame()])
  })
  test('are in the order in which they are shown, where some are decoded before', () => {
    const [first] = offsetsOf(made('-bf', '2', '-flags', '+cgop'))
    expect(first).toEqual(everyFrame())
  })
  test('begin later where ffmpeg writes an empty edit for those that are decoded before', () => {
    const delayed = ['-bf', '2', '-flags', '+cgop', '-output_ts_offset', '0.08', '-use_editlist', '1']
    const [first] = offsetsOf(made(...delayed))
    expect(first).toEqual(everyFrame(0.08))
  })
  test('are those of the video, beside sound', () => {
    const media = made('-f', 'lavfi', '-i', 'sine=d=2', '-map', '1:a', '-map', '0:v', '-c:a', 'aac', '-bf', '0')
    const [first = []] = offsetsOf(media)
    expect(first).toHaveLength(25)
    expect(Number(first[1]) - Number(first[0])).toBeCloseTo(0.04, 3)
  })
})

/** A segment of a second with its initialization segment, and a reader that has read neither. */
const unread = () => {
  const {
    init,
    segments: [segment = Buffer.alloc(0)],
  } = made('-bf', '0')
  const table = createFrameTable()
  const reader = createFrameReader(table)
  return { init, segment, table, reader }
}

test('a segment that comes before its initialization segment is read with it, unless another source was loaded', () => {
  const { init, segment, table, reader } = unread()
  const after = () => table.after(10)?.toFixed(3)
  reader.readSegment(segment, 10, 11)
  const before = after()
  reader.readInit(init)
  const read = after()
  reader.clear()
  reader.readSegment(segment, 10, 11)
  reader.clear()
  reader.readInit(init)
  expect([before, read, after()]).toEqual([undefined, '10.040', undefined])
})

test('segments of MPEG-TS wait for no initialization segment', () => {
  const { init, segment, table, reader } = unread()
  reader.readSegment(segment, 10, 11)
  for (let start = 11; start < 20; start += 1) reader.readSegment(Buffer.alloc(188, 0x47), start, start + 1)
  reader.readSegment(Buffer.alloc(0), 20, 21)
  reader.readInit(init)
  expect(table.after(10)?.toFixed(3)).toBe('10.040')
})

test('a segment that was requested before it was positioned is read once it is', () => {
  const { init, segment, table, reader } = unread()
  const reference = (startByte: number, start: number) => ({
    getUris: () => ['/gate/video.mp4'],
    getStartByte: () => startByte,
    getStartTime: () => start,
    getEndTime: () => start + 1,
  })
  reader.readInit(init)
  reader.keepSegment(segment, '/gate/video.mp4', 5000)
  reader.readKept([null, reference(0, 10), reference(5000, 11), reference(9000, 12)])
  expect([table.at(10.05), table.at(11.05)?.toFixed(3), table.at(12.5)]).toEqual([undefined, '11.040', undefined])
})

test('what is cut off, altered or no MP4 has no frames, and breaks nothing', () => {
  const {
    init,
    segments: [segment = Buffer.alloc(0)],
  } = made('-bf', '0')
  const tracks = readTracks(init)
  if (tracks === undefined) throw new Error('no tracks')
  expect(readTracks(Buffer.from('G@'.repeat(200)))).toBeUndefined()
  expect(readTracks(init.subarray(0, 60))).toBeUndefined()
  expect(readFrameOffsets(Buffer.from('#EXTM3U\n'), tracks)).toBeUndefined()
  for (let length = 0; length < 700; length += 7)
    expect(() => readFrameOffsets(segment.subarray(0, length), tracks)).not.toThrow()
  for (let position = 0; position < 300; position += 1) {
    const bent = Buffer.from(segment)
    bent[position] = 255 - (bent[position] ?? 0)
    expect(() => readFrameOffsets(bent, tracks)).not.toThrow()
    const wrong = Buffer.from(init)
    wrong[position] = 255 - (wrong[position] ?? 0)
    expect(() => readTracks(wrong)).not.toThrow()
  }
})
