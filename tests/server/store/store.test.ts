import { expect, test } from 'vitest'
import { maskSecrets } from '../../../server/http/log.ts'
import { hostOfIp } from '../../../server/http/host-of-ip.ts'
import { createThrottle } from '../../../server/users/throttle.ts'

test('logs mask the credentials of addresses and queries', () => {
  expect(maskSecrets('open rtsp://joe:p%40ss@10.0.0.1/a and http://h/x?token=abc&y=1 failed')).toBe(
    'open rtsp://***@10.0.0.1/a and http://h/x?token=***&y=1 failed',
  )
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:1:2::1', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
])('%s counts as %s', (ip, host) => {
  expect(hostOfIp(ip)).toBe(host)
})

test('a throttle gives its attempts, then one at a time, and takes them back', () => {
  let now = 0
  const throttle = createThrottle(2, 1000, () => now)
  const take = () => throttle.take('a')
  expect([take(), take(), take(), throttle.take('b')]).toEqual([undefined, undefined, 1, undefined])
  now = 1500
  expect([take(), take()]).toEqual([undefined, 1])
  throttle.giveBack('a')
  expect([take(), take()]).toEqual([undefined, 1])
  now = 60_000
  expect([take(), take(), take()]).toEqual([undefined, undefined, 1])
})
