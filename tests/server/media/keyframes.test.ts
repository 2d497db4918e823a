import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { boxesIn, makeBox } from '../../../server/media/boxes.ts'
import { fragmentArguments } from '../../../server/media/encoding.ts'
import { readFragment, readInit, type Init } from '../../../server/media/fragments.ts'
import { fragmentOf, readKeyframe } from '../../../server/media/keyframes.ts'
import { lumaOf } from '../../../server/media/picture.ts'

const encoded = (source: string): { init: Init; segment: Buffer } => {
  const args = `-nostdin -v error -f lavfi -i ${source} -c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 2`
  const { stdout, stderr } = spawnSync('ffmpeg', [...args.split(' '), ...fragmentArguments], { maxBuffer: 1e8 })
  const boxes = boxesIn(stdout)
  const bytesOf = (...types: string[]) =>
    Buffer.concat(boxes.filter(({ type }) => types.includes(type)).map(({ start, end }) => stdout.subarray(start, end)))
  const init = readInit(bytesOf('ftyp', 'moov'))
  if (init === undefined) throw new Error(stderr.toString())
  return { init, segment: bytesOf('moof', 'mdat') }
}

const keyframeOf = async ({ init, segment }: ReturnType<typeof encoded>) => {
  const reads: [number, number][] = []
  const picture = await readKeyframe(segment.length, init, async (offset, bytes) => {
    reads.push([offset, offset + bytes])
    return segment.subarray(offset, offset + bytes)
  })
  return { picture, reads }
}

test.for([
  ['small', 'testsrc2=s=320x180:r=25:d=2', 1],
  ['large', 'nullsrc=s=640x360:r=5:d=2,geq=random(1)*255:128:128', 2],
] as const)('of a %s keyframe and what follows it, the keyframe is read', async ([, source, count]) => {
  const { init, segment } = encoded(source)
  const whole = Buffer.concat([segment, makeBox('free', Buffer.alloc(500_000))])
  const { offset = 0, length = 0 } = readFragment(whole, init)?.picture ?? {}
  const { picture, reads } = await keyframeOf({ init, segment: whole })
  expect(picture).toEqual(whole.subarray(offset, offset + length))
  expect(reads).toHaveLength(count)
  expect(reads.at(-1)?.[1]).toBe(Math.max(65_536, offset + length))
})

test('a segment that ends within its keyframe has none', async () => {
  const { init, segment } = encoded('testsrc2=s=320x180:r=25:d=2')
  const { offset = 0, length = 0 } = readFragment(segment, init)?.picture ?? {}
  const cut = segment.subarray(0, offset + length - 1)
  expect((await keyframeOf({ init, segment: cut })).picture).toBeUndefined()
  expect((await keyframeOf({ init, segment: Buffer.alloc(0) })).picture).toBeUndefined()
})

test('the keyframe alone decodes to the first picture of its segment', async () => {
  const { init, segment } = encoded('testsrc2=s=320x180:r=25:d=2')
  const { picture = Buffer.alloc(0) } = await keyframeOf({ init, segment })
  const luma = (key: string, bytes: Buffer) =>
    lumaOf({ key, caller: 'test', load: async () => ({ init, segment: bytes, mediaStart: 0 }) })
  const alone = await luma('alone', fragmentOf(picture, 0, init.video))
  expect(alone).toHaveLength(576)
  expect(alone).toEqual(await luma('whole', segment))
})
