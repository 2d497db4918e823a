import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { boxesIn } from '../../../server/media/boxes.ts'
import { fragmentArguments, h264Arguments } from '../../../server/media/encoding.ts'
import { readFragment, readInit } from '../../../server/media/fragments.ts'
import { withParameterSets } from '../../../server/media/rewrite.ts'

/** One second of H.264 as an init and its fragments. */
const encoded = (rate: number, keyframeEvery: number) => {
  const picture = ['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=s=64x64:r=${rate}:d=1`, '-g', String(keyframeEvery)]
  const { stdout } = spawnSync('ffmpeg', [...picture, ...h264Arguments, ...fragmentArguments])
  const head = boxesIn(stdout).filter(({ type }) => type === 'ftyp' || type === 'moov')
  const end = Math.max(...head.map((box) => box.end))
  const init = readInit(stdout.subarray(0, end))
  if (init === undefined) throw new Error('no init')
  return { init, segment: stdout.subarray(end) }
}

// ffmpeg writes the size of a fragment's only picture as a default, without a row.
test.each([
  ['several pictures', 5, 5],
  ['a single picture', 1, 1],
])('a fragment of %s has the parameter sets before its keyframe', (_, rate, keyframeEvery) => {
  const { init, segment } = encoded(rate, keyframeEvery)
  const before = readFragment(segment, init)
  const changed = withParameterSets(segment, init)
  const after = readFragment(changed, init)
  const added = changed.length - segment.length
  // SPS and PPS.
  expect(init.video.parameterSets).toHaveLength(2)
  expect(added).toBe(init.video.parameterSets.reduce((sum, { length }) => sum + 4 + length, 0))
  expect(after?.picture).toEqual({
    offset: before?.picture.offset,
    length: (before?.picture.length ?? 0) + added,
  })
  const keyframe = changed.subarray(after?.picture.offset).subarray(0, after?.picture.length)
  expect(init.video.parameterSets.every((set) => keyframe.subarray(0, added).includes(set))).toBe(true)
  expect([after?.frames, after?.duration]).toEqual([before?.frames, before?.duration])
})
