import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { boxesIn } from '../../../server/media/boxes.ts'
import { fragmentArguments } from '../../../server/media/encoding.ts'
import {
  hasOtherParameters,
  readFragment,
  readInit,
  type Fragment,
  type Init,
} from '../../../server/media/fragments.ts'
import { withSetsOf } from '../../../server/media/in-band-sets.ts'
import { startIngest } from '../../../server/media/ingest.ts'
import { rewriteSegment } from '../../../server/media/rewrite.ts'
import { fragmentAt } from '../fixtures/engine.ts'

type Filmed = { init: Init; first: Fragment; segment: Buffer }

/** A second of video with its parameter sets before each keyframe, too. */
const filmed = (size: string, codec: string): Filmed => {
  const source = `-nostdin -v error -f lavfi -i testsrc2=s=${size}:r=5:d=1`
  const { stdout, stderr } = spawnSync('ffmpeg', [
    ...`${source} ${codec} -bsf:v dump_extra`.split(' '),
    ...fragmentArguments,
  ])
  const head = boxesIn(stdout).filter(({ type }) => type === 'ftyp' || type === 'moov')
  const end = Math.max(0, ...head.map((box) => box.end))
  const init = readInit(stdout.subarray(0, end))
  const first = init && readFragment(stdout.subarray(end), init)
  if (init === undefined || first === undefined) throw new Error(stderr.toString())
  return { init, first, segment: stdout.subarray(end) }
}

/** A keyframe of these NAL units. */
const pictureOf = (...units: Buffer[]): Fragment => {
  const bytes = Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(unit.length)
      return [length, unit]
    }),
  )
  return { ...fragmentAt(0, true), bytes, picture: { offset: 0, length: bytes.length } }
}

const slice = Buffer.from([0x65, 0x88, 0x80])
const zeros = Buffer.alloc(2)

const baseline = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'
const high = '-c:v libx264 -preset fast -pix_fmt yuv420p'
const h265 = '-c:v libx265 -preset ultrafast -x265-params log-level=error:info=0 -tag:v hvc1'

test.for<[name: string, sent: Parameters<typeof filmed>, announced: Parameters<typeof filmed>]>([
  ['another size', ['320x180', baseline], ['640x368', baseline]],
  ['a higher profile', ['328x180', high], ['320x240', baseline]],
  ['a lower profile', ['64x64', baseline], ['176x144', high]],
  ['10 bit 4:2:2', ['320x180', `${high} -pix_fmt yuv422p10le`], ['320x180', high]],
  ['H.265 of another size', ['640x360', `${h265} -pix_fmt yuv420p`], ['320x240', `${h265} -pix_fmt yuv420p`]],
  ['H.265, 10 bit', ['320x184', `${h265} -pix_fmt yuv420p10le`], ['320x180', `${h265} -pix_fmt yuv420p`]],
])('an init gets the parameter sets of the first picture: %s', ([, sent, announced]) => {
  const { init, first } = filmed(...sent)
  const { init: stale } = filmed(...announced)
  expect([hasOtherParameters(first, init), hasOtherParameters(first, stale)]).toEqual([false, true])
  // As ffmpeg makes it from the right sets, to the byte.
  expect(withSetsOf(first, stale)).toEqual(init)
})

test('zero bytes behind a parameter set make no other one of it', () => {
  const { init } = filmed('64x64', baseline)
  const { init: stale } = filmed('96x64', baseline)
  const [sequence = zeros, picture = zeros] = init.video.parameterSets
  const padded = Buffer.concat([sequence, zeros])
  expect(hasOtherParameters(pictureOf(padded, picture, slice), init)).toBe(false)
  const known: Init = { ...init, video: { ...init.video, parameterSets: [padded, picture] } }
  expect(hasOtherParameters(pictureOf(sequence, picture, slice), known)).toBe(false)
  expect(withSetsOf(pictureOf(padded, Buffer.concat([picture, zeros]), padded, slice), stale)).toEqual(init)
})

test('an init keeps the picture parameter set that the first picture lacks', () => {
  const { init } = filmed('64x64', baseline)
  const { init: stale } = filmed('96x64', baseline)
  const [sequence = zeros] = init.video.parameterSets
  expect(withSetsOf(pictureOf(sequence, slice), stale)?.video).toMatchObject({
    width: 64,
    parameterSets: [sequence, stale.video.parameterSets[1]],
  })
})

test('an init is not made from parameter sets that can’t be read, or don’t fit into it', () => {
  const { init } = filmed('64x64', baseline)
  const [sequence = zeros, picture = zeros] = init.video.parameterSets
  const many = Array.from({ length: 40 }, (_, index) => Buffer.from([...picture, index + 1]))
  for (const units of [
    [],
    [picture],
    [sequence.subarray(0, 6)],
    [sequence, Buffer.alloc(70_000, 0x68)],
    [sequence, ...many],
  ])
    expect(withSetsOf(pictureOf(...units, slice), init)).toBeUndefined()
})

/** What an ingest takes of a source that announces `init`, and how it ends. */
const ingested = async (init: Init, ...segments: readonly Buffer[]) => {
  const moved = segments.map((each, second) => rewriteSegment(each, init, { seconds: second, dropsSound: false }))
  const source = Buffer.concat([init.bytes, ...moved])
  const begun: Init[] = []
  const taken: Fragment[] = []
  const input = ['-nostdin', '-v', 'error', '-i', `data:video/mp4;base64,${source.toString('base64')}`, '-c', 'copy']
  const { ended } = startIngest({
    args: [...input, ...fragmentArguments],
    now: () => 0,
    onInit: (of) => {
      begun.push(of)
      return { take: (fragment) => taken.push(fragment), finish: async () => undefined, ending: () => undefined }
    },
  })
  return {
    end: await ended,
    inits: begun.map(({ video }) => video),
    taken: taken.map(({ start }) => Math.round(start)),
  }
}

const lost = { kind: 'failed', reason: 'The connection was lost' }

test.for([
  ['H.264', baseline],
  ['H.265', `${h265} -pix_fmt yuv420p`],
] as const)('a source is recorded by what it sends, not by what it announces: %s', async ([, codec]) => {
  const [sent, announced] = [filmed('64x64', codec), filmed('96x64', codec)]
  const { parameterSets, codec: name } = sent.init.video
  const { end, inits, taken } = await ingested(announced.init, sent.segment, sent.segment)
  expect([end, taken]).toEqual([lost, [0, 1]])
  expect(inits).toMatchObject([{ width: 64, height: 64, codec: name, parameterSets }])
})

test('a source that sends other parameter sets later needs another run', async () => {
  const [sent, other] = [filmed('64x64', baseline), filmed('96x64', baseline)]
  for (const announced of [sent, other]) {
    const { end, inits, taken } = await ingested(announced.init, sent.segment, sent.segment, other.segment)
    expect([end, taken]).toEqual([{ kind: 'changed' }, [0, 1]])
    expect(inits).toMatchObject([{ width: 64, parameterSets: sent.init.video.parameterSets }])
  }
})

test('a source whose parameter sets can’t be read is recorded by what it announces', async () => {
  const [sent, announced] = [filmed('64x64', baseline), filmed('96x64', baseline)]
  const [sequence = zeros] = sent.init.video.parameterSets
  const segment = Buffer.from(sent.segment)
  for (let at = segment.indexOf(sequence); at >= 0; at = segment.indexOf(sequence)) segment.fill(0, at + 4, at + 20)
  const { end, inits, taken } = await ingested(announced.init, segment, segment)
  expect([end, taken]).toEqual([lost, [0, 1]])
  expect(inits).toMatchObject([{ parameterSets: announced.init.video.parameterSets }])
})
