import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { boxesIn } from '../../../server/media/boxes.ts'
import { fragmentArguments } from '../../../server/media/encoding.ts'
import { readFragment } from '../../../server/media/fragments.ts'
import { readInit, type Init } from '../../../server/media/init.ts'
import { transcodeSubsegments } from '../../../server/media/transcode-subsegments.ts'
import { transcodedInit } from '../../../server/media/transcode.ts'
import { h264, timesOf } from '../fixtures/tapes.ts'
import { decoded } from '../fixtures/video.ts'

const { signal } = new AbortController()

const initOf = (bytes: Buffer): { init: Init; end: number } => {
  const end = Math.max(...boxesIn(bytes).flatMap((box) => (box.type === 'moov' ? [box.end] : [])))
  const init = readInit(bytes.subarray(0, end))
  if (init === undefined) throw new Error('no init')
  return { init, end }
}

/** One segment of a camera: pictures from 100 s on, `rate` a second, with sound. */
const recorded = (rate: number, seconds: number) => {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=${rate}:d=${seconds}`]
  const sound = ['-f', 'lavfi', '-i', `sine=sample_rate=48000:d=${seconds}`, '-c:a', 'aac']
  const times = ['-output_ts_offset', '100', '-avoid_negative_ts', 'disabled']
  const args = ['-nostdin', '-v', 'error', ...picture, ...sound, ...h264(1000), ...times, ...fragmentArguments]
  const { stdout } = spawnSync('ffmpeg', args)
  const { init, end } = initOf(stdout)
  return { init, segment: stdout.subarray(end) }
}

const made = async (source: { init: Init; segment: Buffer }, subsegments: { count: number; duration: number }) => {
  const taken: { index: number; bytes: Buffer }[] = []
  await transcodeSubsegments(source, subsegments, { take: (index, bytes) => taken.push({ index, bytes }), signal })
  const head = (await transcodedInit(source.init, signal)) ?? Buffer.of()
  const { init } = initOf(head)
  expect(taken.map(({ index }) => index)).toEqual(taken.map((_, index) => index))
  return {
    fragments: taken.map(({ bytes }) => readFragment(bytes, init)),
    file: Buffer.concat([head, ...taken.map(({ bytes }) => bytes)]),
  }
}

test.each([
  ['25 pictures a second', 25, 2, 2, 4],
  ['a picture every two seconds', 0.5, 6, 6, 12],
  ['an odd duration', 25, 2, 1.93, 4],
])('every subsegment begins at its time with a keyframe and sound: %s', async (_, rate, seconds, duration, count) => {
  const source = recorded(rate, seconds)
  const { fragments, file } = await made(source, { count, duration })
  expect(fragments).toHaveLength(count)
  const starts = fragments.map((_each, index) => 100 + (duration * index) / count)
  // shaka moves what it appends by differences from a millisecond on.
  for (const [index, fragment] of fragments.entries())
    expect(Math.abs((fragment?.start ?? 0) - (starts[index] ?? 0))).toBeLessThan(0.001)
  expect(new Set(fragments.map((each) => each?.isIndependent))).toEqual(new Set([true]))
  expect(new Set(fragments.map((each) => each?.hasSound))).toEqual(new Set([true]))
  expect(decoded(file)).toBe('')

  // All pictures are there at their times, and besides only those with which subsegments begin.
  const times = timesOf(file)
  const near = (all: readonly number[], time: number) => all.some((each) => Math.abs(each - time) < 0.001)
  const sent = timesOf(Buffer.concat([source.init.bytes, source.segment]))
  expect(sent.filter((time) => !near(times, time))).toEqual([])
  expect(times.filter((time) => !near(sent, time) && !near(starts, time))).toEqual([])
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

test('a segment that is its only subsegment has its pictures and no other', async () => {
  const source = recorded(25, 2)
  const { file } = await made(source, { count: 1, duration: 2 })
  const sent = timesOf(Buffer.concat([source.init.bytes, source.segment]))
  expect(timesOf(file)).toEqual(sent.map((time) => expect.closeTo(time, 4)))
})

test('what cannot be decoded has no subsegments', async () => {
  const { init } = recorded(25, 1)
  const taken: number[] = []
  const source = { init, segment: Buffer.from('no segment') }
  await transcodeSubsegments(source, { count: 2, duration: 1 }, { take: (index) => taken.push(index), signal })
  expect(taken).toEqual([])
})
