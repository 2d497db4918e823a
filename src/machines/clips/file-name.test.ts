import { expect, test } from 'vitest'
import { clipFileName } from './file-name.ts'

const download = {
  uid: 'gate',
  name: 'Gate',
  from: Date.UTC(2026, 9, 25, 1, 30),
  to: Date.UTC(2026, 9, 25, 2, 30),
  zone: 'Europe/Berlin',
  id: 0,
  request: 0,
  part: 1,
  parts: 1,
  progress: { kind: 'waiting' },
} as const

test('a clip is named as the server says, else by its stream and local start with the offset', () => {
  expect(clipFileName(download, 'North gate.mp4')).toBe('North gate.mp4')
  expect(clipFileName(download, null)).toBe('Gate 2026-10-25 02-30-00 +01-00.mp4')
})

test('a part has its number', () => {
  const part = { ...download, part: 2, parts: 3 }
  expect(clipFileName(part, 'North gate.mp4')).toBe('North gate 2 of 3.mp4')
  expect(clipFileName(part, null)).toBe('Gate 2026-10-25 02-30-00 +01-00 2 of 3.mp4')
  expect(clipFileName(part, 'gate')).toBe('gate 2 of 3')
})
