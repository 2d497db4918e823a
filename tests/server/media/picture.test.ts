import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { boxesIn } from '../../../server/media/boxes.ts'
import { fragmentArguments } from '../../../server/media/encoding.ts'
import { readFragment, readInit } from '../../../server/media/fragments.ts'
import { pictureSizeOf } from '../../../server/media/picture-size.ts'
import { jpegOf, jpegScale } from '../../../server/media/picture.ts'

const x264 = '-c:v libx264 -pix_fmt yuv420p -qp 4 -g 10 -sc_threshold 0'

/** Three seconds with ten pictures each that get brighter. */
const brightening = "color=s=64x64:r=10:d=3,geq=lum='16+mod(N\\,20)*10':cb=128:cr=128,format=yuv420p"

/** The second of three segments, each of ten pictures. */
const recorded = (codec: string, film = brightening) => {
  const source = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', film]
  const { stdout } = spawnSync('ffmpeg', [...source, ...codec.split(' '), ...fragmentArguments])
  const moofs = boxesIn(stdout).filter(({ type }) => type === 'moof')
  const [first, second, third] = moofs.map(({ start }) => start)
  const init = readInit(stdout.subarray(0, first))
  const segment = stdout.subarray(second, third)
  const fragment = init && readFragment(segment, init)
  if (init === undefined || fragment === undefined) throw new Error('nothing recorded')
  return { init, segment, mediaStart: fragment.start }
}

/** Which picture of the film a JPEG is. */
const numberOf = (jpeg: Buffer | undefined): number | undefined => {
  const raw = ['-vf', 'scale=1:1:flags=area,format=gray', '-f', 'rawvideo', 'pipe:1']
  const { stdout } = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', '-i', 'pipe:0', ...raw], { input: jpeg ?? '' })
  const [luma] = stdout
  return luma === undefined ? undefined : Math.round((luma * 219) / 255 / 10)
}

test.each([
  ['without B-frames', `${x264} -bf 0`, 10],
  ['with B-frames', `${x264} -bf 3 -b_strategy 0`, 10],
  // Its first picture is shown before the keyframe, and can’t be decoded without the segment before.
  ['with an open GOP', `${x264} -bf 3 -b_strategy 0 -x264-params open-gop=1:scenecut=0`, 9],
] as const)('the picture of a moment is the one on screen: 10 fps %s', async (name, codec, first) => {
  const footage = recorded(codec)
  expect(footage.mediaStart).toBeCloseTo(first / 10)
  const numberAt = async (offset: number) =>
    numberOf(await jpegOf({ key: name, caller: 'ann', load: async () => footage }, offset, []))
  const offsets = [0.15, 0.1996, 0.93, 1.5]
  const numbers = []
  for (const offset of offsets) numbers.push(await numberAt(offset))
  expect(numbers).toEqual([1, 2, 9, 9].map((each) => first + each))
})

const shapes = [
  ['wide pixels', '960x1080', '2', { width: 640, height: 360 }],
  ['PAL', '704x576', '12/11', { width: 640, height: 480 }],
  ['narrow pixels of a small picture', '320x240', '1/2', { width: 160, height: 240 }],
  ['pixels of no shape that is known', '960x540', '0', { width: 640, height: 360 }],
  ['pixels of a shape that can’t be', '960x540', '1000', { width: 640, height: 360 }],
] as const

test.each(shapes)('a picture has square pixels: %s', async (name, size, aspect, expected) => {
  const film = `color=s=${size}:r=10:d=3,setsar=${aspect}`
  const load = async () => recorded('-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 10 -sc_threshold 0', film)
  const recordedJpeg = await jpegOf({ key: name, caller: 'ann', load }, 0, [])
  const args = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', film, '-frames:v', '1', '-vf', jpegScale()]
  const { stdout: jpegOfSource } = spawnSync('ffmpeg', [...args, '-f', 'mjpeg', 'pipe:1'])
  const jpeg = { type: 'image/jpeg', ...expected }
  expect([recordedJpeg ?? Buffer.of(), jpegOfSource].map(pictureSizeOf)).toEqual([jpeg, jpeg])
})
