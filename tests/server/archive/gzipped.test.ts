import * as fc from 'fast-check'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { gzipped } from '../../../server/archive/playback/gzipped.ts'
import { archiveOf } from '../fixtures/playlists.ts'
import { add, newFolder, open, record, t0, uid } from '../fixtures/tape.ts'

const zip = async (pieces: readonly Buffer[]): Promise<Buffer[]> => {
  const all = async function* () {
    yield* pieces
  }
  return Array.fromAsync(gzipped(all()))
}

test('pieces, some of them again, become one gzip file', async () => {
  const piece = fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes))
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
      const again = [...pieces, ...pieces]
      expect(gunzipSync(Buffer.concat(await zip(again)))).toEqual(Buffer.concat(again))
    }),
    { numRuns: 50 },
  )
})

test('a piece that comes again is not deflated again', async () => {
  const hour = Buffer.from('#EXTINF:2.000000,\n'.repeat(1800))
  const [first = [], second = []] = [await zip([Buffer.from('one'), hour]), await zip([hour])]
  expect(second[1]).toBe(first[2])
  expect(second[1]?.length).toBeLessThan(hour.length / 20)
})

test('a playlist of the archive is compressed for who takes that', async () => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 0, 10)
  const range = `start_time=${new Date(t0).toISOString()}&end_time=${new Date(t0 + 10_000).toISOString()}`
  const url = `${archiveOf(uid)}recorded.m3u8?${range}`
  const get = (method: 'GET' | 'HEAD', encoding: string) =>
    video.app.inject({ method, url, headers: { cookie: video.admin, 'accept-encoding': encoding } })
  const plain = await get('GET', 'gzip;q=0')
  const small = await get('GET', 'br, gzip')
  expect(plain.body).toContain('#EXT-X-ENDLIST')
  expect(gunzipSync(small.rawPayload).toString()).toBe(plain.body)
  const headersOf = ({ headers }: typeof plain) => [headers['content-encoding'], headers['vary']]
  expect([headersOf(plain), headersOf(small), headersOf(await get('HEAD', 'gzip'))]).toEqual([
    [undefined, 'accept-encoding'],
    ['gzip', 'accept-encoding'],
    ['gzip', 'accept-encoding'],
  ])
})
