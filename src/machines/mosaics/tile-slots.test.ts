import { expect, test } from 'vitest'
import { settingsOf, streamOf } from '../../../tests/fixtures/replies.ts'
import { isAvailable } from './tile-slots.ts'

test('a stream plays that runs or starts, or whose status the server omits', () => {
  const statuses = ['running', 'pending', '', 'paused', 'failed', 'stopped']
  expect(statuses.filter((status) => isAvailable(streamOf({ status }), settingsOf()))).toEqual([
    'running',
    'pending',
    '',
  ])
  expect(isAvailable(undefined, settingsOf())).toBe(false)
})
