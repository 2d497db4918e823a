import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { without } from '../../../server/archive/playback/sub-playlist.ts'
import { subOf } from '../../../server/streams/substream.ts'
import { playlistOf } from '../fixtures/playlists.ts'
import { add, newFolder, open, record, t0, uid } from '../fixtures/tape.ts'

const ranges = fc
  .uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 12 })
  .map((cuts) => cuts.toSorted((a, b) => a - b))
  .map((cuts) =>
    Array.from({ length: Math.floor(cuts.length / 2) }, (_, pair) => ({
      from: cuts[pair * 2] ?? 0,
      to: cuts[pair * 2 + 1] ?? 0,
    })),
  )

test('the difference of two lists of ranges has every moment of the first that the second lacks', () => {
  const holds = (all: { from: number; to: number }[], moment: number) =>
    all.some(({ from, to }) => from <= moment && moment < to)
  fc.assert(
    fc.property(ranges, ranges, (whole, part) => {
      const rest = without(whole, part)
      for (let moment = 0; moment < 40; moment += 1)
        expect(holds(rest, moment)).toBe(holds(whole, moment) && !holds(part, moment))
      expect(rest.every(({ from, to }) => from < to)).toBe(true)
    }),
  )
})

/** The stream recorded from 10 to 40, its substream as given; seconds after t0. */
const recorded = async (...parts: [number, number][]) => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 10, 40)
  for (const [from, to] of parts) await record(video, from, to, { of: subOf(uid), scene: 'yard' })
  const at = (second: number) => new Date(t0 + second * 1000).toISOString()
  const list = async (from: number, to: number) => {
    const query = `rendition=sub&start_time=${at(from)}&end_time=${at(to)}`
    const { path, segments } = await playlistOf(video, uid, query)
    const short = segments.map(({ uri, start, isCut }) => {
      const rendition = uri.includes('/sub/') ? 'sub' : 'main'
      return `${(start - t0) / 1000} ${rendition}${isCut === true ? ' cut' : ''}`
    })
    return { path, segments, short }
  }
  return { video, list }
}

test('where nothing of the substream is recorded, the main rendition answers', async () => {
  const { list } = await recorded()
  expect(await list(12, 18)).toMatchObject({
    path: 'recorded.m3u8',
    short: ['12 main', '14 main', '16 main'],
  })
})

test('where the substream has all of it, it answers alone', async () => {
  const { list } = await recorded([10, 40])
  expect(await list(12, 16)).toMatchObject({ path: 'sub/recorded.m3u8', short: ['12 sub', '14 sub'] })
})

test('the main rendition fills the gaps of the substream, before, between and after', async () => {
  const { video, list } = await recorded([14, 20], [27, 33])
  const { path, short, segments } = await list(10, 40)
  expect(path).toBe('sub/recorded.m3u8')
  expect(short).toEqual([
    '10 main',
    '12 main',
    '14 sub cut',
    '16 sub',
    '18 sub',
    '20 main cut',
    '22 main',
    '24 main',
    '27 sub cut',
    '29 sub',
    '31 sub',
    '34 main cut',
    '36 main',
    '38 main',
  ])
  const { app, admin } = video
  for (const { uri, init } of segments)
    for (const url of [uri, init])
      expect([url, (await app.inject({ url, headers: { cookie: admin, host: 'localhost' } })).statusCode]).toEqual([
        url,
        200,
      ])
})

test('a range that begins within a segment of the main rendition begins with that segment', async () => {
  const { list } = await recorded([20, 40])
  expect((await list(13, 24)).short).toEqual(['12 main', '14 main', '16 main', '18 main', '20 sub cut', '22 sub'])
})

test('a gap of the substream of less than a few seconds stays a gap', async () => {
  const { list } = await recorded([10, 18], [20, 40])
  expect((await list(14, 24)).short).toEqual(['14 sub', '16 sub', '20 sub cut', '22 sub'])
})
