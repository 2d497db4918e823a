import { expect, test } from 'vitest'
import { messageOf } from './messages.ts'

const unreadable = { title: 'Sightline', body: '', tag: '' }

test.each([
  [() => ({ title: 'Door failed', body: '03:00', tag: 'a1' }), { title: 'Door failed', body: '03:00', tag: 'a1' }],
  [() => ({ title: 1, body: null }), unreadable],
  [() => null, unreadable],
  [() => JSON.parse('{'), unreadable],
])('message %# is read as far as it can be', (read, message) => {
  expect(messageOf(read)).toEqual(message)
})
