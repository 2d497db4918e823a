import { expect, test } from 'vitest'
import { refusedOf, requestOf } from './downloads.ts'

const segment = 1
const requestFrom = (fields: object) => requestOf(Object.assign(new Event('download'), fields), segment, 5000)

test('a segment that came', () => {
  const response = { status: 200, timeMs: 42, data: new ArrayBuffer(1234) }
  expect(requestFrom({ requestType: segment, request: { requestStartTime: 4000 }, response })).toEqual({
    status: 200,
    bytes: 1234,
    milliseconds: 42,
  })
})

test('without a time of its own it is counted from its start', () => {
  const response = { status: 206, data: new Uint8Array(3) }
  expect(requestFrom({ requestType: segment, request: { requestStartTime: 4000 }, response })).toEqual({
    status: 206,
    bytes: 3,
    milliseconds: 1000,
  })
})

test('a segment that was refused, and one that nothing answered', () => {
  const request = { requestStartTime: 4900 }
  expect([
    requestFrom({ requestType: segment, request, error: { code: 1001 }, httpResponseCode: 404, aborted: false }),
    requestFrom({ requestType: segment, request, error: { code: 1002 }, httpResponseCode: 0, aborted: false }),
    requestFrom({ requestType: segment, request, error: { code: 7001 }, httpResponseCode: 0, aborted: true }),
  ]).toEqual([
    { status: 404, bytes: 0, milliseconds: 100 },
    { status: 0, bytes: 0, milliseconds: 100 },
    { status: 0, bytes: 0, milliseconds: 100 },
  ])
})

test('superseded requests and those of other files report nothing', () => {
  expect([
    requestFrom({ requestType: segment, request: {}, error: { code: 7001 }, httpResponseCode: 0, aborted: false }),
    requestFrom({ requestType: 0, request: {}, response: { status: 200, timeMs: 1, data: new ArrayBuffer(1) } }),
  ]).toEqual([null, null])
})

const failed = (fields: object) => refusedOf(Object.assign(new Event('downloadfailed'), fields))

test('what was refused, by the address that refused; nothing of what came, broke off or was given up', () => {
  const data = (answered: string) => ['http://a.b/asked', 401, '{}', {}, 1, answered]
  expect([
    failed({ httpResponseCode: 401, error: { code: 1001, data: data('http://c.d/led') } }),
    failed({ httpResponseCode: 423, error: { code: 1001, data: ['http://a.b/asked', 423] } }),
    failed({ httpResponseCode: 0, error: { code: 1002, data: ['http://a.b/asked'] } }),
    failed({ httpResponseCode: 0, error: null, aborted: true }),
    failed({ response: { status: 200 } }),
  ]).toEqual([
    { address: 'http://c.d/led', status: 401 },
    { address: 'http://a.b/asked', status: 423 },
    null,
    null,
    null,
  ])
})
