import { expect, test } from 'vitest'
import { boxesIn } from '../../../server/media/boxes.ts'
import { chapterList, chapterOf } from '../../../server/media/chapters.ts'

test('a list has the first 255 chapters, as its count has one byte', () => {
  const chapters = Array.from({ length: 300 }, (_, index) => chapterOf(index * 2, index * 60_000))
  const box = chapterList(chapters)
  expect(boxesIn(box)).toEqual([{ type: 'chpl', start: 0, payload: 8, end: box.length }])
  expect([box.readUInt8(16), box.length]).toEqual([255, 17 + 255 * (9 + 24)])
  const last = box.subarray(-33)
  expect([Number(last.readBigUInt64BE(0)) / 1e7, last.toString('latin1', 9)]).toEqual([508, '1970-01-01T04:14:00.000Z'])
})
