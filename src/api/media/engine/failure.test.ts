import { expect, test } from 'vitest'
import { engineErrorOf, failureOf, retryAfterOfError } from './failure.ts'

test('maps errors of the engine to failures', () => {
  const status = (code: number) => failureOf({ code: 1001, data: ['uri', code] })
  expect([401, 403, 404, 410, 500, 503, 0].map(status)).toEqual([
    'expired',
    'forbidden',
    'missing',
    'missing',
    'server',
    'busy',
    'network',
  ])
  expect([1002, 1003, 4032, 4012, 4053, 4015, 3016, 0].map((code) => failureOf({ code, data: [] }))).toEqual([
    'network',
    'network',
    'codec',
    'codec',
    'empty',
    'unreadable',
    'unreadable',
    'network',
  ])
  const date = 'Wed, 25 Nov 2026 00:59:30 GMT'
  const secondsOf = (value: string) =>
    retryAfterOfError({ code: 1001, data: ['uri', 503, '', { 'retry-after': value, date }] })
  expect(['10', '', 'Wed, 25 Nov 2026 01:00:00 GMT', '-1', '9999'].map(secondsOf)).toEqual([10, null, 30, null, 600])
  expect([retryAfterOfError({ code: 1001, data: [] }), retryAfterOfError({ code: 1002, data: [] })]).toEqual([
    null,
    null,
  ])
  expect([7000, 7003].map((code) => failureOf({ code, data: [] }))).toEqual([null, null])
  expect([engineErrorOf(null), engineErrorOf(new Error('x')), engineErrorOf({ code: 1001, data: [1] })]).toEqual([
    { code: 0, data: [] },
    { code: 0, data: [] },
    { code: 1001, data: [1] },
  ])
})
