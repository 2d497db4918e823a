import { expect, test } from 'vitest'
import { requestExport, verified, difference, entriesOf, fileOf, greys, untilMade } from '../fixtures/export-file.ts'
import { camera, expectBurnedIn, inFile, masked, middle, plainPicture, put, range } from '../fixtures/masked-camera.ts'
import { archiveOf, playlistOf, wholeOf } from '../fixtures/playlists.ts'
import { add, record } from '../fixtures/tape.ts'
import { decoded } from '../fixtures/video.ts'

test('compatible is black below a mask, for a codec that browsers play, too', async () => {
  const video = await camera()
  const plain = await plainPicture(video)
  const before = await playlistOf(video, 'door', `${range}&rendition=compatible`)
  expect(before.path).toBe('recorded.m3u8')
  await put(video, [middle])
  const { path, variant, segments } = await playlistOf(video, 'door', `${range}&rendition=compatible`)
  expect([path, variant?.codecs]).toEqual(['compatible/recorded.m3u8', 'avc1.42c028,mp4a.40.2'])
  const whole = await wholeOf(video, segments)
  expect(decoded(whole)).toBe('')
  expectBurnedIn(inFile(whole), plain)
  const { body } = await video.ask('GET', '/v1/stream/door', { cookie: video.admin })
  expect(Object(body).masks).toEqual([middle])
  // A playlist from before the masks were removed still leads to media of one kind.
  await put(video, [])
  const file = inFile(await wholeOf(video, segments))
  expect(difference(greys(file, masked), greys(plain, masked))).toBeLessThan(6)
})

test('a download is black below a mask', async () => {
  const video = await camera()
  const plain = await plainPicture(video)
  await put(video, [middle, { x: 0, y: 0, w: 0.01, h: 0.01 }])
  const { app, admin } = video
  const url = `${archiveOf('door')}download?${range}`
  const reply = await app.inject({ url, headers: { cookie: admin, host: 'localhost' } })
  expect([reply.statusCode, reply.headers['content-length']]).toEqual([200, undefined])
  expect(decoded(reply.rawPayload)).toBe('')
  expectBurnedIn(inFile(reply.rawPayload), plain)
})

test('an export is black below a mask, with and without an overlay, and its manifest says so', async () => {
  const video = await camera()
  const plain = await plainPicture(video)
  await add(video, 'yard')
  await record(video, 0, 4, { of: 'yard', scene: 'yard' })
  await put(video, [middle])
  const exported = async (more: object = {}) => {
    const { id } = await requestExport(
      video,
      [
        ['door', 0, 4],
        ['yard', 0, 4],
      ],
      { more },
    )
    expect(await untilMade(video, id)).toMatchObject({ status: 'ready', failureReason: '' })
    const { bytes } = await fileOf(video, id)
    const { manifest, verdict } = await verified(bytes)
    expect([verdict, manifest?.items.map(({ masks }) => masks)]).toEqual(['unchanged', [[middle], undefined]])
    expect(manifest?.files.map(({ frames, codec, width }) => [frames, codec.slice(0, 4), width])).toEqual([
      [100, 'avc1', 640],
      [100, 'avc1', 640],
    ])
    return [...(await entriesOf(bytes)).values()]
  }
  const [door = Buffer.alloc(0), yard = Buffer.alloc(0)] = await exported()
  expect(decoded(door)).toBe('')
  expectBurnedIn(inFile(door), plain)
  expect(difference(greys(inFile(yard), masked), greys(plain, masked))).toBe(0)
  const [both = Buffer.alloc(0)] = await exported({ overlay: true })
  expect(Math.max(...greys(inFile(both), masked))).toBeLessThanOrEqual(20)
  expect(Math.max(...greys(inFile(both), 'crop=190:16:10:8'))).toBeGreaterThan(200)
})
