import { expect, test } from 'vitest'
import { addressOf, messageOf, windowFor } from './messages.ts'

const unreadable = { title: 'Sightline', body: '', tag: '', path: '' }
const failed = { title: 'Door failed', body: '03:00', tag: 'a1', path: '/ui/stream/door/view' }

test.each([
  [() => failed, failed],
  [() => ({ title: 1, body: null, path: {} }), unreadable],
  [() => null, unreadable],
  [() => JSON.parse('{'), unreadable],
])('message %# is read as far as it can be', (read, message) => {
  expect(messageOf(read)).toEqual(message)
})

const page = '/ui/'
const origin = 'https://cams.example'

test.each([
  ['/ui/stream/door/view?at=2026-11-21T03:00:00.000Z', '/ui/stream/door/view?at=2026-11-21T03:00:00.000Z'],
  ['', page],
  [undefined, page],
  ['/v1/user', page],
  ['/ui/../v1/user', page],
  ['//evil.example/ui/', page],
  ['https://evil.example/ui/', page],
  ['http://', page],
])('a click on a message of the path %s opens %s', (path, address) => {
  expect(addressOf(path, { origin, page })).toBe(address)
  const below = { origin, page: '/cameras/ui/' }
  expect(addressOf(path, below)).toBe(address.replace('/ui/', '/cameras/ui/'))
})

test('a click shows a window that has the page, any window for the start, else a new one', () => {
  const windows = ['/ui/streams', '/ui/stream/door/view'].map((path) => ({ url: `${origin}${path}` }))
  const [streams, door] = windows
  expect(
    [page, '/ui/stream/door/view', '/ui/stream/door/view?at=2026-11-21T03:00:00.000Z', '/ui/events'].map((address) =>
      windowFor(windows, { address, page }),
    ),
  ).toEqual([streams, door, undefined, undefined])
})
