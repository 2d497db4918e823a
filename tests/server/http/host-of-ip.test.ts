import { expect, test } from 'vitest'
import { hostOfIp } from '../../../server/http/host-of-ip.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:1:2::1', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
])('%s counts as %s', (ip, host) => {
  expect(hostOfIp(ip)).toBe(host)
})
