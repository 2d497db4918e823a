import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSequenceSet, matrixIn, sequenceFactsIn } from '../../../server/media/sequence-set.ts'

/** Sequence parameter sets as x264 and x265 write them, and two with every field, which ffmpeg reads the same. */
const h264: [name: string, matrix: number, set: string][] = [
  ['720p, untagged', 2, '6742c01fda014016ec0440000003004000000c83c60ca8'],
  ['720p, BT.709', 1, '6742c01fda014016ec05a810100a000003000200000300641e306540'],
  ['1080p, SMPTE 170M', 6, '6742c028da01e0089f97016a04040c800000030080000019078c1950'],
  ['768 lines, full range, untagged', 2, '6742c020da01581879bc05b2000003000200000300641e306540'],
  ['720p, primaries alone', 2, '6742c01fda014016ec05a8081012000003000200000300641e306540'],
  ['360p, High', 1, '6764001eacb405017fcb80b502020140000003004000000c83c58ba8'],
  ['576 lines, 4:4:4, interlaced', 5, '67f4001e90d9d016849b01b502020540000003004000000c9808007a10001e84a4c200f8a155'],
  [
    'scaling lists, cycle of picture orders, cropping, aspect, overscan',
    7,
    '6764001ead846208888888888888884860da10492492492492492492492492492492492492492492492496112a151051c012c140a05ba7' +
      '27fe00200017ee0c0c0e04',
  ],
]
const h265: typeof h264 = [
  ['720p, untagged', 2, '42010101600000030090000003000003005da00280802d16595952930bc05a020000030002000003003210'],
  [
    '720p, full range, untagged',
    2,
    '42010101600000030090000003000003005da00280802d16595952930bc05b020000030002000003003210',
  ],
  ['4K, untagged', 2, '420101016000000300900000030000030096a001e020021c596e92930bc05a020000030002000003003210'],
  [
    '1080p, B-frames, BT.709',
    1,
    '420101016000000300900000030000030078a003c0801107cb965664a4c2f016a040402080000003008000000c84',
  ],
  [
    '360p, scaling lists, SMPTE 170M',
    6,
    '42010101600000030090000003000003003fa005020171f2e5959529385e02d4080818100000030010000003019080',
  ],
  [
    '576 lines, 4:4:4, 10 bit',
    5,
    '4201010408000003009c0800000300005a9000b4401209b2caca94985e096e04040a08000003000800000300c840',
  ],
  [
    'sub-layers, scaling lists, PCM, predicted and long-term references, aspect, overscan',
    9,
    '42010501600000030090000003000003005dd00001600000030090000003000003003f5aa00280802d9f2e5ada95e493e57442ba215d10a9' +
      '2b2ba215d10ae8857442ba215d10ae8857442ba215d10ae8857442ba49598ae8857442ba215d10ae8857442ba215d10ae8857442ba215d10' +
      'ae925662ba215d10ae8857442ba215d10ae8857442ba215d10ae8857442ba2eefcad6ab77a997b0382bffc0040002edc24382402',
  ],
]
const all = [
  ...h264.map(([name, matrix, set]) => ({
    name: `H.264, ${name}`,
    matrix,
    set: Buffer.from(set, 'hex'),
    ofH265: false,
  })),
  ...h265.map(([name, matrix, set]) => ({
    name: `H.265, ${name}`,
    matrix,
    set: Buffer.from(set, 'hex'),
    ofH265: true,
  })),
]

test.each(all)('the matrix of a sequence parameter set is read: $name', ({ set, ofH265, matrix }) => {
  expect(isSequenceSet(set, ofH265)).toBe(true)
  expect(matrixIn(set, ofH265)).toBe(matrix)
})

test('the size of the pictures is read, their chroma format and bit depths', () => {
  const facts = all.map(({ set, ofH265 }) => {
    const { width, height, chromaFormat, bitDepths } = sequenceFactsIn(set, ofH265) ?? {}
    return [`${width}×${height}`, chromaFormat, bitDepths?.join()]
  })
  const usual = (...sizes: string[]) => sizes.map((size) => [size, 1, '8,8'])
  expect(facts).toEqual([
    ...usual('1280×720', '1280×720', '1920×1080', '1366×768', '1280×720', '640×360'),
    ['720×576', 3, '10,10'],
    ...usual('634×340'),
    ...usual('1280×720', '1280×720', '3840×2160', '1920×1080', '640×360'),
    ['720×576', 3, '10,10'],
    ...usual('1280×720'),
  ])
})

test('what ends too early, or has impossible numbers, has no matrix', () => {
  for (const { set, ofH265 } of all) {
    for (let length = 0; length < 9; length += 1) expect(matrixIn(set.subarray(0, length), ofH265)).toBeUndefined()
    expect(matrixIn(Buffer.concat([set.subarray(0, 4), Buffer.alloc(100)]), ofH265)).toBeUndefined()
    expect(matrixIn(Buffer.concat([set.subarray(0, 2), Buffer.alloc(40_000)]), ofH265)).toBeUndefined()
  }
})

test('a hostile sequence parameter set has a matrix and a size, or none', () => {
  const changed = fc
    .tuple(
      fc.constantFrom(...all),
      fc.array(fc.record({ at: fc.nat(150), value: fc.nat(255) }), { maxLength: 8 }),
      fc.uint8Array({ maxLength: 200 }),
      fc.nat(150),
    )
    .map(([{ set, ofH265 }, changes, tail, kept]) => {
      const bytes = Buffer.concat([set.subarray(0, kept), tail])
      for (const { at, value } of changes) if (at < bytes.length) bytes[at] = value
      return { bytes, ofH265 }
    })
  fc.assert(
    fc.property(changed, ({ bytes, ofH265 }) => {
      const matrix = matrixIn(bytes, ofH265) ?? 0
      expect(matrix).toBeGreaterThanOrEqual(0)
      expect(matrix).toBeLessThanOrEqual(255)
      const { width = 1, height = 1 } = sequenceFactsIn(bytes, ofH265) ?? {}
      expect(Math.min(width, height)).toBeGreaterThan(0)
      expect(Math.max(width, height)).toBeLessThan(65_536)
    }),
    { numRuns: 1000 },
  )
})
