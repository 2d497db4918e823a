import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { instant } from '../../../src/api/contract/wire.ts'
import { startServer } from '../fixtures/harness.ts'

const moment = Date.parse('2026-11-21T08:00:00.000Z')

test.each([
  '2026-11-21T08:00:00.000Z',
  '2026-11-21T08:00:00Z',
  '2026-11-21t08:00:00z',
  '2026-11-21T10:00:00+02:00',
  '2026-11-21T10:00:00 02:00',
  '2026-11-21t05:30:00.000-02:30',
])('%s is a moment', (text) => {
  expect(z.decode(instant, text)).toBe(moment)
  expect(z.encode(instant, moment)).toBe('2026-11-21T08:00:00.000Z')
})

test.each([
  '',
  'noon',
  '2026-11-21',
  '2026-11-21 08:00:00Z',
  '2026-11-21 08:00',
  '2026-11-21T08:00:00',
  '2026-11-21T08:00:00  02:00',
  '2026-13-21T08:00:00Z',
])('"%s" is none', (text) => {
  expect(z.safeDecode(instant, text).success).toBe(false)
})

test('a query may hold an offset that is not encoded', async () => {
  const { ask, addUser, signIn } = await startServer()
  await addUser('ann', true)
  const { status, body } = await ask('GET', '/v1/admin/stats?from=2026-11-21T10:00:00+02:00&to=2026-11-21t09:00:00z', {
    cookie: await signIn('ann'),
  })
  expect({ status, body }).toEqual({ status: 200, body: { series: [] } })
})
