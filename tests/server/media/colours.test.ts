import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { boxesIn } from '../../../server/media/boxes.ts'
import { fragmentArguments } from '../../../server/media/encoding.ts'
import { readInit } from '../../../server/media/init.ts'
import { jpegOf } from '../../../server/media/picture.ts'
import { transcodedInit, transcodeSegment } from '../../../server/media/transcode.ts'

/** Red as ffmpeg draws it, and what becomes of it if that is converted from BT.601 to BT.709. */
const drawn = [81, 90, 240]
const converted = [63, 102, 240]

/** One red picture of a camera. */
const recorded = (
  codec: string,
  height: number,
  tags: readonly string[],
  film = `color=red:s=64x${height}:d=0.04,format=yuv420p`,
) => {
  const picture = ['-f', 'lavfi', '-i', film]
  const encoder = ['-c:v', codec, '-preset', 'ultrafast', ...tags]
  const { stdout } = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', ...picture, ...encoder, ...fragmentArguments])
  const end = Math.max(...boxesIn(stdout).flatMap((box) => (box.type === 'moov' ? [box.end] : [])))
  const init = readInit(stdout.subarray(0, end))
  if (init === undefined) throw new Error('no init')
  return { init, segment: stdout.subarray(end) }
}

/** The mean Y, Cb and Cr of the first picture of an MP4. */
const colourOf = (input: Buffer): number[] => {
  const raw = ['-vf', 'scale=1:1:flags=area,format=yuv444p', '-frames:v', '1', '-f', 'rawvideo', 'pipe:1']
  return [...spawnSync('ffmpeg', ['-nostdin', '-v', 'error', '-i', 'pipe:0', ...raw], { input }).stdout]
}

const drawing = { filter: '', size: { width: 64, height: 720 } }
const { signal } = new AbortController()
/** The init of all transcodes of that size. */
const head = transcodedInit(recorded('libx264', 720, []).init, signal, drawing)

test.each([
  ['untagged HD is kept, as it is BT.709', 'libx264', 720, [], drawn],
  ['untagged HD of H.265 is kept', 'libx265', 720, [], drawn],
  ['HD tagged as BT.601 is converted', 'libx264', 720, ['-colorspace', 'smpte170m'], converted],
  ['untagged video of fewer lines is converted, as it is BT.601', 'libx264', 718, [], converted],
] as const)('the colour of a transcode: %s', async (_, codec, height, tags, expected) => {
  const segment = await transcodeSegment(recorded(codec, height, tags), signal, drawing)
  const colour = colourOf(Buffer.concat([(await head) ?? Buffer.of(), segment ?? Buffer.of()]))
  expect(colour).toHaveLength(3)
  for (const [index, value] of expected.entries()) expect(Math.abs((colour[index] ?? 0) - value)).toBeLessThan(3)
})

/** Red, as BT.709 has it. */
const red709 = 'color=red:s=64x720:d=0.04,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p'

test.each([
  ['untagged HD', []],
  ['HD tagged as BT.709', ['-colorspace', 'bt709']],
])('a JPEG of %s is red, as its readers take it for BT.601', async (key, tags) => {
  const footage = { ...recorded('libx264', 720, tags, red709), mediaStart: 0 }
  const input = await jpegOf({ key, caller: 'ann', load: async () => footage }, 0, [])
  const raw = ['-vf', 'scale=1:1:flags=area,format=rgb24', '-f', 'rawvideo', 'pipe:1']
  const { stdout } = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', '-i', 'pipe:0', ...raw], { input })
  const [red = 0, green = 255, blue = 255] = stdout
  expect([red > 245, green < 10, blue < 10], `${red} ${green} ${blue}`).toEqual([true, true, true])
})
