import { expect, test } from 'vitest'
import { keyframesOf } from './keyframes.ts'

const segments = [10, 12, 14].map((media) => ({ media, duration: 2, utc: null }))
const keyframes = (lead: number, listed = segments) =>
  keyframesOf({ engine: { segments: () => listed }, leadAt: () => lead })

test.each([
  ['a moment after it', 0, 13.9, 12],
  ['its own moment', 0, 12, 12],
  ['the first frame of its segment', 0.08, 12.08, 12.08],
  ['a moment before the first frame of the next segment', 0.08, 14.04, 12.08],
  ['a moment before all', 0.08, 10.04, undefined],
])('the keyframe of %s', (_, lead, moment, keyframe) => {
  expect(keyframes(lead).at(moment)).toEqual(keyframe)
})

test('the first keyframe is the first frame of the first segment', () => {
  expect(keyframes(0.08).first()).toBe(10.08)
  expect(keyframes(0, []).first()).toBe(0)
})
