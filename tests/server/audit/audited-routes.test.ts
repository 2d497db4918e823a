import { expect, test } from 'vitest'
import { auditedRoutes } from '../../../server/audit/audited-routes.ts'
import { targetText } from '../../../server/audit/target.ts'

test.each([
  [1e300, 1e300, 'door'],
  [Infinity, 0, 'door'],
  [0, 1e300, 'door 1970-01-01T00:00:00.000Z'],
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:01Z', 'door 1970-01-01T00:00:00.000Z/1970-01-01T00:00:01.000Z'],
])('a lock from %s to %s that was refused is logged with the times that there are', (startTime, endTime, text) => {
  const { target } = auditedRoutes['POST /v1/stream/:uid/archive/locks'] ?? {}
  const call = { params: { uid: 'door' }, query: {}, body: { startTime, endTime }, answer: undefined }
  expect(targetText(target?.(call))).toBe(text)
})
