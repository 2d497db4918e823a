import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { setBaseUrl } from '../call.ts'
import { fetchFile } from './fetch-file.ts'

beforeAll(() => setBaseUrl('https://server.test'))
afterAll(() => setBaseUrl(''))
afterEach(() => vi.unstubAllGlobals())

const url = 'https://server.test/v1/stream/gate/archive/download'
const fetched = (response: Response) => {
  vi.stubGlobal('fetch', async () => response)
  return fetchFile(url, { onBytes: () => undefined, signal: new AbortController().signal })
}
const refused = (status: number, body: string, headers: Record<string, string> = {}) =>
  fetched(new Response(body, { status, headers }))

test.each([
  ["attachment; filename*=UTF-8''%D0%94.mp4", 'Д.mp4'],
  ['attachment; filename="the gate.mp4"', 'the gate.mp4'],
  ['attachment; filename=gate.mp4; size=7', 'gate.mp4'],
  ['attachment', null],
])('a file has the name that the server gives it: %s', async (disposition, name) => {
  const reply = await fetched(new Response('bytes', { headers: { 'content-disposition': disposition } }))
  expect(reply).toMatchObject({ ok: true, name })
})

test('an error is that of its body, whose members may be null', async () => {
  expect(await refused(400, '{"code":"TimeRangeIsTooLong","message":null,"details":null}')).toEqual({
    ok: false,
    apiError: { status: 400, code: 'TimeRangeIsTooLong', message: '', details: {}, retryAfterSeconds: null },
  })
  const body = '{"code":"ValidationError","details":{"codec_change":"2026-11-21T08:00:00Z"}}'
  expect(await refused(429, body, { 'retry-after': '7' })).toMatchObject({
    apiError: { details: { codec_change: '2026-11-21T08:00:00Z' }, retryAfterSeconds: 7 },
  })
})

test.each([
  [404, ''],
  [502, 'InternalServerError'],
])('an error without a readable body: %i', async (status, code) => {
  expect(await refused(status, '<html>')).toMatchObject({ ok: false, apiError: { status, code } })
})
