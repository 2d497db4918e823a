import { boxesIn } from './boxes.ts'
import { readFragment } from './fragments.ts'
import type { Init } from './init.ts'

/** A segment without the fragments that begin at `end` or later; media time in seconds. */
export const cutSegment = (segment: Buffer, init: Init, end: number): Buffer => {
  const boxes = boxesIn(segment)
  const first = boxes.find((box, index) => {
    const data = boxes[index + 1]
    if (box.type !== 'moof' || data === undefined) return false
    const fragment = readFragment(segment.subarray(box.start, data.end), init)
    return fragment !== undefined && fragment.start >= end
  })
  return first === undefined ? segment : segment.subarray(0, first.start)
}
