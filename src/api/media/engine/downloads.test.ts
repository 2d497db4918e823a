import { expect, test } from 'vitest'
import { refusalOf, segmentRequestOf } from './downloads.ts'

const segment = 1
const requestFrom = (fields: object) => segmentRequestOf(Object.assign(new Event('download'), fields), segment, 5000)

test('a received segment', () => {
  const response = { status: 200, timeMs: 42, data: new ArrayBuffer(1234) }
  expect(requestFrom({ requestType: segment, request: { requestStartTime: 4000 }, response })).toEqual({
    status: 200,
    bytes: 1234,
    milliseconds: 42,
  })
})

test('without a duration it is measured from the start of the request', () => {
  const response = { status: 206, data: new Uint8Array(3) }
  expect(requestFrom({ requestType: segment, request: { requestStartTime: 4000 }, response })).toEqual({
    status: 206,
    bytes: 3,
    milliseconds: 1000,
  })
})

test('a refused segment, and one without a response', () => {
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

test('null for a cancelled request and for other types', () => {
  expect([
    requestFrom({ requestType: segment, request: {}, error: { code: 7001 }, httpResponseCode: 0, aborted: false }),
    requestFrom({ requestType: 0, request: {}, response: { status: 200, timeMs: 1, data: new ArrayBuffer(1) } }),
  ]).toEqual([null, null])
})

const failed = (fields: object) => refusalOf(Object.assign(new Event('downloadfailed'), fields))

test('the URL and status of a refused request only', () => {
  const data = (responseUrl: string) => ['http://a.b/requested', 401, '{}', {}, 1, responseUrl]
  expect([
    failed({ httpResponseCode: 401, error: { code: 1001, data: data('http://c.d/redirected') } }),
    failed({ httpResponseCode: 423, error: { code: 1001, data: ['http://a.b/requested', 423] } }),
    failed({ httpResponseCode: 0, error: { code: 1002, data: ['http://a.b/requested'] } }),
    failed({ httpResponseCode: 0, error: null, aborted: true }),
    failed({ response: { status: 200 } }),
  ]).toEqual([
    { url: 'http://c.d/redirected', status: 401 },
    { url: 'http://a.b/requested', status: 423 },
    null,
    null,
    null,
  ])
})
