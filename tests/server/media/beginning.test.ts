import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { boxesIn } from '../../../server/media/boxes.ts'
import { beginningOf } from '../../../server/media/cut.ts'
import { fragmentArguments, partArguments } from '../../../server/media/encoding.ts'
import { readInit, type Init } from '../../../server/media/fragments.ts'
import { readSamples } from '../../../server/media/samples.ts'

type Filmed = { init: Init; segment: Buffer }

/** A segment of six seconds with B-frames. */
const filmed = (output: readonly string[]): Filmed => {
  const source = '-nostdin -v error -f lavfi -i testsrc2=s=64x64:r=25:d=6'
  const codec = '-c:v libx264 -pix_fmt yuv420p -g 250 -bf 6 -b_strategy 0'
  const { stdout, stderr } = spawnSync('ffmpeg', [...`${source} ${codec}`.split(' '), ...output])
  const boxes = boxesIn(stdout)
  const bytesOf = (types: string[]) =>
    Buffer.concat(boxes.filter(({ type }) => types.includes(type)).map(({ start, end }) => stdout.subarray(start, end)))
  const init = readInit(bytesOf(['ftyp', 'moov']))
  if (init === undefined) throw new Error(stderr.toString())
  return { init, segment: bytesOf(['moof', 'mdat']) }
}

/** When each picture is shown, in seconds of media time. */
const shownAt = ({ init, segment: bytes }: Filmed): number[] =>
  boxesIn(bytes)
    .filter(({ type }) => type === 'moof')
    .flatMap((moof) => boxesIn(bytes, moof.payload, moof.end))
    .flatMap((traf) => {
      const { decodeTime = 0, samples = [] } = (traf.type === 'traf' ? readSamples(bytes, traf) : undefined) ?? {}
      let time = decodeTime - init.video.editStart
      return samples.map(({ duration, offset }) => {
        time += duration
        return (time - duration + offset) / init.video.timescale
      })
    })

const firstFrom = (video: Filmed, at: number): number => Math.min(...shownAt(video).filter((shown) => shown >= at))

const beginning = ({ init, segment }: Filmed, at: number): Filmed => ({
  init,
  segment: beginningOf(segment, init, at),
})

test.for([
  ['of a third of a second', partArguments],
  ['of one picture each', ['-frag_duration', '1', ...fragmentArguments]],
] as const)('the beginning of a segment with fragments %s has the picture of each moment', ([, output]) => {
  const video = filmed(output)
  expect(shownAt(video)).toHaveLength(150)
  for (let at = 0; at < 5.96; at += 0.02)
    expect(firstFrom(beginning(video, at), at), `at ${at.toFixed(2)}`).toBe(firstFrom(video, at))
})

test('no more of a segment than its picture needs is decoded', () => {
  const video = filmed(partArguments)
  expect(shownAt(beginning(video, 0)).length).toBeLessThan(40)
  expect(shownAt(beginning(video, 2)).length).toBeLessThan(90)
  expect(beginning(video, 9)).toEqual(video)
  expect(beginningOf(Buffer.alloc(0), video.init, 0)).toHaveLength(0)
})
