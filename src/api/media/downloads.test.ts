import { expect, test } from 'vitest'
import { requestOf } from './downloads.ts'

const segment = 1
const told = (fields: object) => requestOf(Object.assign(new Event('download'), fields), segment, 5000)

test('a segment that came', () => {
  const response = { status: 200, timeMs: 42, data: new ArrayBuffer(1234) }
  expect(told({ requestType: segment, request: { requestStartTime: 4000 }, response })).toEqual({ status: 200, bytes: 1234, milliseconds: 42 })
})

test('without a time of its own it is counted from its start', () => {
  const response = { status: 206, data: new Uint8Array(3) }
  expect(told({ requestType: segment, request: { requestStartTime: 4000 }, response })).toEqual({ status: 206, bytes: 3, milliseconds: 1000 })
})

test('a segment that was refused, and one that nothing answered', () => {
  const request = { requestStartTime: 4900 }
  expect([
    told({ requestType: segment, request, error: { code: 1001 }, httpResponseCode: 404, aborted: false }),
    told({ requestType: segment, request, error: { code: 1002 }, httpResponseCode: 0, aborted: false }),
    told({ requestType: segment, request, error: { code: 7001 }, httpResponseCode: 0, aborted: true }),
  ]).toEqual([
    { status: 404, bytes: 0, milliseconds: 100 },
    { status: 0, bytes: 0, milliseconds: 100 },
    { status: 0, bytes: 0, milliseconds: 100 },
  ])
})

test('what a newer request took the place of, and what is no segment, says nothing', () => {
  expect([
    told({ requestType: segment, request: {}, error: { code: 7001 }, httpResponseCode: 0, aborted: false }),
    told({ requestType: 0, request: {}, response: { status: 200, timeMs: 1, data: new ArrayBuffer(1) } }),
  ]).toEqual([null, null])
})
