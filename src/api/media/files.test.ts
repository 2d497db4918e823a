import { expect, test } from 'vitest'
import { fileName } from './files.ts'

test('a file name has no characters that a file system refuses', () => {
  expect(fileName('Gate: 1/2 2026-11-21.mp4')).toBe('Gate- 1-2 2026-11-21.mp4')
})

test('a long name keeps its time, its part and its extension', () => {
  const end = ' 2026-11-21 14-05-03 +01-00 2 of 5.mp4'
  const name = fileName('Gate '.repeat(40) + end)
  expect([name.length, name.startsWith('Gate Gate '), name.endsWith(end)]).toEqual([180, true, true])
})
